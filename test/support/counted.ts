/** Prints how much a test has covered into the output of `npm test`. Docs do not repeat these numbers. */
export function counted(what: string): void {
  process.stderr.write(`covered: ${what}\n`);
}
