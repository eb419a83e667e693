/** Paths are those of the folder in which it runs. */
export default {
  escrow: {
    input: `${process.cwd()}/../openapi.json`,
    output: {
      target: `${process.cwd()}/client.ts`,
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
      // It sends one form of a body only. A bank's statement may also be sent as the file itself.
      override: { contentType: { exclude: ['application/xml'] } },
    },
  },
};
