-- RECEIVABLE: what others owe the company. A contra side, so its balance is negative while something is owed.
alter table account drop constraint account_type_check, drop constraint account_contra_side;
alter table account
  add constraint account_type_check
    check (type in ('USER', 'COMPANY', 'SERVICE_FEE', 'TAX', 'SUSPENSE', 'TRANSIT', 'BANK', 'RECEIVABLE', 'SYSTEM_FEE')),
  add constraint account_contra_side check (may_go_negative = (type in ('TRANSIT', 'BANK', 'RECEIVABLE')));
