/** The program of shared-services.ts: one service, which ends when the run that started it does. */
import { HASH_WORK } from '../../src/api/auth/passwords.ts';
import { startService } from './whole-service.ts';

// The files register thousands of companies, and log their owners in.
Object.assign(HASH_WORK, { memoryCost: 64, timeCost: 1 });

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
