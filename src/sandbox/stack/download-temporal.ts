/**
 * temporal-program.ts runs this file as a separate process. It makes `@temporalio/testing` download the Temporal CLI into a
 * directory, by starting it from there once. Arguments: the directory, the version.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { messageOf } from '../../observability/thrown.ts';

const [directory, version] = process.argv.slice(2);
try {
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir: directory, version } },
  });
  await environment.teardown();
} catch (error) {
  // The runtime wraps its errors several times; the innermost has the cause.
  console.error(messageOf(error).split(': ').slice(-2).join(': '));
  process.exitCode = 1;
}
