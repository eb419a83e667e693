import { expect, test } from '@jest/globals';
import { statementName } from '../../../src/observability/tracing/sql.ts';

test.each([
  ['select * from auth_api_keys(?::text[])', 'select auth_api_keys'],
  ['select idempotency_finishes(?::jsonb)', 'select idempotency_finishes'],
  ['select kind, floor(extract(epoch from created_at)) as at\n from ledger_post(?::jsonb)', 'select ledger_post'],
  ['select "a0".* from "app_user" as "a0" where "a0"."id" = ? for update', 'select app_user'],
  ['insert into "escrow" ("id") values (?) on conflict (id) do update set seq = ?', 'insert escrow'],
  [
    'with moved as (update escrow set seq = ? returning id) insert into escrow_event select id from moved',
    'update escrow',
  ],
  ['with asked as (select ?) insert into "escrow_event" select 1 from asked', 'insert escrow_event'],
  ['with asked as (select ?) select opening from asked', 'with asked'],
  ['update public.escrow set status = ? where id = ?', 'update escrow'],
  ['delete from command_text where command_id = ?', 'delete command_text'],
  ['with page as materialized (select id from entry) select * from page', 'with entry'],
  ['set local statement_timeout = ?', 'set'],
  ['begin', 'begin'],
])('a statement is named by its operation and its object: %s', (text, name) => {
  expect(statementName(text)).toBe(name);
});
