-- Which role executes which function. 010-tenancy.sql takes the right from everybody else, so a function that is not here is for
-- the owner, for triggers, and for the functions that run with the owner's rights.

-- What needs a person. The indexes of proposals and disputes need their functions wherever escrows are written.
grant execute on function work_items, work_counts to escrow_api;
grant execute on function open_proposal_lapses_at, dispute_answer_due to escrow_api, escrow_worker;

-- Looks up credentials, counts logins, claims requests and serves the checkout: for the API alone. Some return password hashes
-- and proofs, and others write what the worker must never write.
grant execute on function auth_administrator, auth_former_administrator, auth_session_used, auth_refresh_token, auth_api_keys,
  auth_api_key_by_prefix, auth_api_keys_used, login_try_counted, login_tries, login_succeeded, registration_add,
  registration_for_company, registered_user, registration_forget, otp_newest_links, otp_begin, otp_give_back,
  otp_consume, idempotency_claims, idempotency_finishes, idempotency_forget, idempotency_unlock, audit_writes, audit_announces, audit_announced, audit_revokes,
  audit_unknown_login, user_erasure_obstacle, begin_erasure, user_erase, user_export, user_files, documents_to_delete, audit_guess, messaging_record, fee_accounts, escrows_for_commands, command_decisions,
  deposit_all, intercompany_debts, receipt_key, lock_receipts, counterpart_of, deposited_before, payment_link_by_hash, order_page_by_hash,
  payment_attempt_by_checkout, payment_attempt_is_askable, payment_notified, payment_returned,
  payment_unapproved_prompts, company_counts, ledger_closed_until, ledger_transaction_totals, ledger_transaction_count,
  ledger_balance_before, ledger_held_before, report_trial_balance, report_liabilities, report_revenue, ledger_cashflow, unsealed_activity, appended_balances, latest_entry_time,
  statement_outline, statement_lines, shown_transaction, withdrawal_of_key, settlement_keys, company_logo_by_digest,
  platform_companies, platform_payout_limits, platform_operations, platform_audits, platform_concerns, bank_match_open, bank_match_text,
  message_stop_set, order_messages_due, order_message_obstacle
  to escrow_api;

-- Seals, audits, sweeps and measures all companies.
grant execute on function audit_message, ledger_seal, ledger_keep_audit, checkpoint_mismatches, payment_attempt_report,
  company_count_fold, open_escrow_fold, operations_snapshot, sweep_expired, event_sweep, event_snapshot,
  webhook_company, webhooks_to_wake, webhook_sweep, order_requests_lapse, task_finished, task_snapshot
  to escrow_worker;

grant execute on function await_erasure, report_instant, match_key, field_key_noted, field_key_is_needed, current_company, act_source, is_blacklisted, platform_company, instant, company_ahead_ms, company_now, is_any_clock_moved,
  ledger_post, ledger_verify, company_payable_cash, transactions_without_cause, audited_entities, derived_mismatches,
  commitment_mismatches
  to escrow_api, escrow_worker;
grant execute on function stored_details, shown_metadata to escrow_api, escrow_worker;
grant execute on function is_file_sent to escrow_api;
