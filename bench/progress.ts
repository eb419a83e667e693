/** A bar on the terminal for one part of the benchmark. Without a terminal, one line when a comparison is complete. */

const WIDTH = 30;

export type Step = {
  /** What is measured now. */
  readonly what: string;
  readonly done: number;
  readonly total: number;
};

export type ShowProgress = (step: Step) => void;

export function progressBar(part: string, out: NodeJS.WriteStream = process.stderr): ShowProgress {
  return (step) => {
    const line = lineOf(part, step);
    if (out.isTTY) out.write(`\r\x1b[2K${line}${step.done === step.total ? '\n' : ''}`);
    else if (step.done === step.total) out.write(`${line}\n`);
  };
}

function lineOf(part: string, { what, done, total }: Step): string {
  const filled = Math.round((WIDTH * done) / total);
  return `${part.padEnd(8)} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total} ${done === total ? '' : what}`;
}
