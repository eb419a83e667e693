import type { MikroORM } from '@mikro-orm/postgresql';
import { type PeriodicOptions, runPeriodically } from '../db/core/run-periodically.ts';
import { findUntold, tellOf } from '../db/treasury/bank-details.ts';
import type { Messaging } from '../providers/messaging/port.ts';

/**
 * Tells people that the bank account to which their money goes was changed, at the number that they had before. The number stands in
 * the row of the change until the message is sent, so no change is forgotten; a crash may repeat a message.
 */
export function startNotices(orm: MikroORM, messaging: Messaging, options: PeriodicOptions): Promise<void> {
  const round = async () => {
    let failure: unknown;
    for (const change of await findUntold(orm.em.fork())) {
      if (options.signal.aborted) return;
      const send = tellOf(change, (to, notice) => messaging.sendBankDetailsNotice(to, notice));
      await orm.em
        .fork()
        .transactional(send)
        .catch((error: unknown) => {
          failure ??= error; // the others are told all the same
        });
    }
    if (failure !== undefined) throw failure;
  };
  return runPeriodically(round, 'telling people of new bank details', options);
}
