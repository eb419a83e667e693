/** A bar on the terminal for one part of the benchmark. Without a terminal, a line now and then, and when a comparison is complete. */

const WIDTH = 30;
const LINE_EVERY_MS = 10_000;

export type Step = {
  /** What is measured now. */
  readonly what: string;
  readonly done: number;
  readonly total: number;
};

export type ShowProgress = (step: Step) => void;

export function progressBar(part: string, out: NodeJS.WriteStream = process.stderr): ShowProgress {
  let wroteAt = 0;
  return (step) => {
    const line = lineOf(part, step);
    const isDone = step.done === step.total;
    if (out.isTTY) out.write(`\r\x1b[2K${line}${isDone ? '\n' : ''}`);
    else if (isDone || performance.now() - wroteAt >= LINE_EVERY_MS) {
      out.write(`${line}\n`);
      wroteAt = performance.now();
    }
  };
}

function lineOf(part: string, { what, done, total }: Step): string {
  const filled = Math.round((WIDTH * done) / total);
  return `${part.padEnd(8)} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total} ${done === total ? '' : what}`;
}
