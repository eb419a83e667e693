-- `tenant_table` grants to both roles. Here each role loses what no statement of its code needs; a test derives it from the
-- statements (statement-privileges.test.ts).

revoke insert on account_freeze, bank_capture, command_text, dispute_assignment, dispute_note, document, document_chunk, fee_config,
  financial_institution, idempotency, intercompany_settlement, ledger, payment_attempt, payout_destination, payout_limit
  from escrow_worker;
revoke update on command_text, dispute_assignment, idempotency from escrow_worker;
revoke delete on command_text, dispute_assignment, document, document_chunk, idempotency, payment_attempt from escrow_worker;
