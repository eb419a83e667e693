import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Of the lines that start a role that serves; the others end when their work is done. */
const SERVES = /\bsrc\/main\.ts['", ]+(all|api|worker)\b/;

test.each([
  ['package.json', ['all', 'api', 'worker']],
  ['Dockerfile', ['api']],
  ['docker-compose.yml', ['api', 'worker']],
  ['deploy/helm/templates/api.yaml', ['api']],
  ['deploy/helm/templates/worker.yaml', ['worker']],
])('%s starts %j so that V8 does not compact the heap of an idle process', (file, roles) => {
  const commands = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => SERVES.test(line) && !line.startsWith('#'));

  expect(commands.map((line) => SERVES.exec(line)?.[1])).toEqual(roles);
  for (const command of commands) expect(command).toContain('--no-memory-reducer');
});
