import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { sql } from './api.ts';
import type { TestService } from './service.ts';

/** Notes which transactions change which tables, for the test that each change for a request has its line in the audit log. */

/** Tables that are written in transactions without a line, because nothing is changed by them alone. */
const NO_CHANGES = [
  // What a request prepares, the bytes of a document among it, and keys and tries that are counted.
  ...['announced_line', 'command_text', 'idempotency', 'login_try', 'payout_destination', 'refused_command'],
  ...['document', 'document_chunk'],
  // What follows from a change: counts, chains, the feed and its deliveries.
  ...['company_count', 'open_escrow', 'seal_queue', 'block', 'event_fact', 'event', 'commitment', 'commitment_key'],
  // Messages with codes, and what testers read of them.
  ...['one_time_password', 'sandbox_message', 'checkout_registration'],
];
/** Columns that a mere use changes. */
const USES = ['last_used_at', 'factor_at', 'factor_proof', 'totp_used_step', 'recovery_hashes', 'proof'];

export type UnauditedChange = { readonly tables: string; readonly source: string; readonly requestId: string };

/** Begins to note changes, in a database that no other test uses. */
export async function watchChanges(service: TestService): Promise<void> {
  await sql(
    service,
    `create table watched_change (xid bigint, tab text, source text, request_id text, primary key (xid, tab));
     create function note_change() returns trigger language plpgsql security definer as $f$
     begin
       if tg_op = 'UPDATE' and to_jsonb(new) - '{${USES}}'::text[] = to_jsonb(old) - '{${USES}}'::text[] then return null; end if;
       insert into watched_change values (txid_current(), tg_argv[0], act_source(), current_setting('app.request_id', true))
         on conflict do nothing;
       return null;
     end $f$`,
  );
  const tables = await sql(
    service,
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'watched_change'`,
  );
  // Each in a transaction of its own: the locks of all of them together could block the service, and it them.
  await withClient(service.database.ownerUrl, async (client) => {
    for (const { name } of tables)
      await client.query(
        `create trigger zz_watched after insert or update or delete on ${name}
         for each row execute function note_change('${name}')`,
      );
  });
}

/** How many transactions changed something for a request, and those of them that have no line in the audit log. */
export async function unauditedChanges(
  service: TestService,
): Promise<{ readonly changes: number; readonly unaudited: readonly UnauditedChange[] }> {
  const rows = await sql(
    service,
    `select string_agg(distinct tab, ' ' order by tab) filter (where tab <> all ($1)) as tables, min(source) as source,
       min(request_id) as "requestId", bool_or(tab = 'audit_log') or exists (
         -- A request of several transactions has its line in the first.
         select from watched_change w where w.tab = 'audit_log' and w.request_id = min(c.request_id) and w.xid < c.xid) as has_line
     from watched_change c where source in ('API', 'CONSOLE')
     group by xid having count(*) filter (where tab <> all ($1) and tab <> 'audit_log') > 0 order by xid`,
    [NO_CHANGES],
  );
  return {
    changes: rows.length,
    unaudited: rows.filter(({ has_line }) => has_line !== true) as unknown as UnauditedChange[],
  };
}
