import type { Client } from '@temporalio/client';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';

/** Moves the automatic release of an escrow, and notifies its run. The change is committed like one of the service. */
export async function bringNear(ownerUrl: string, temporal: Client, escrowId: string, dueAtMs: number): Promise<void> {
  await withClient(ownerUrl, async (database) => {
    await database.query('set app.as_service = on');
    await database.query(
      `update escrow set state = jsonb_set(state, '{autoReleaseAt}', to_jsonb($1::text)) where id = $2`,
      [new Date(dueAtMs).toISOString(), escrowId.slice('esc_'.length)],
    );
  });
  await temporal.workflow.getHandle(`escrow/${escrowId}`).signal('refresh');
}
