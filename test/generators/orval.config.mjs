/** Paths are those of the folder in which it runs. */
export default {
  escrow: {
    input: `${process.cwd()}/../openapi.json`,
    output: { target: `${process.cwd()}/client.ts`, client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
};
