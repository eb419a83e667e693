import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';

const [address = '', taskQueue = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('./no-op-workflow.ts', import.meta.url)),
});
console.log('ready');
await worker.run();
