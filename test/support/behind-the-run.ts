import { connect } from '../../src/db/core/orm.ts';
import { EscrowRow } from '../../src/db/entities/escrow.ts';
import { carryOutOnEscrow } from '../../src/db/escrow/escrow-store.ts';
import type { EscrowCommand } from '../../src/domain/escrow/commands.ts';
import { type CommandId, type EscrowId, parseId } from '../../src/domain/ids.ts';
import type { TestService } from './service.ts';

/** A command of any type without its id: `Omit` alone would merge the union. */
type Fields = EscrowCommand extends infer Command
  ? Command extends EscrowCommand
    ? Omit<Command, 'commandId'>
    : never
  : never;

/**
 * Writes a step of an escrow that its run does not know, as when Temporal loses the last moments before a crash: the
 * database has committed the step, and the history lacks it.
 */
export async function writeBehindTheRun(
  service: TestService,
  escrow: string,
  fields: Fields,
  now = new Date().toISOString(),
): Promise<void> {
  const orm = await connect({ databaseUrl: service.database.workerUrl, poolMax: 1, applicationName: 'behind-the-run' });
  const command = { commandId: crypto.randomUUID() as CommandId, ...fields } as EscrowCommand; // the fields of one type
  try {
    const escrowId = escrowIdOf(escrow);
    await orm.em.fork().transactional(async (em) => {
      const { companyId } = await em.findOneOrFail(EscrowRow, { id: escrowId });
      await carryOutOnEscrow(em, { companyId, escrowId }, command, now);
    });
  } finally {
    await orm.close();
  }
}

function escrowIdOf(text: string): EscrowId {
  const id = parseId('escrow', text);
  if (id === undefined) throw new Error(`${text} is not an escrow id`);
  return id;
}
