-- The messages that the sandbox's messaging platform received for each company, for its testers. A messaging platform that
-- delivers messages leaves this table empty. The newest messages of a company are kept.
create table sandbox_message (
  id bigint generated always as identity,
  company_id uuid not null references company on delete restrict,
  mobile_number text not null,
  code text not null,
  merchant text not null,
  amount text not null,
  sent_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id)
);
call tenant_table('sandbox_message', '');
grant select, insert, delete on sandbox_message to escrow_api;
