/** The program of shared-services.ts: one service, which ends when the run that started it does. */
import { startService } from './whole-service.ts';

const { url, database, taskQueue, platform, sandbox, stop } = await startService();
const description = { url, database, taskQueue, platform, sandbox: { url: sandbox.url, settings: sandbox.settings } };
process.once('disconnect', () => {
  stop().then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.(description);
