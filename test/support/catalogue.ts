/**
 * Every table, by kind. A new table has to be added here, and its keys have to follow the rule of its kind:
 *
 * - `tenant`: every primary, unique and foreign key begins with the company, so PostgreSQL refuses a row of one company that
 *   refers to a row of another, and a company's rows can stand on a server of their own
 * - `directory`: found before the company is known
 * - `reference`: shared by all companies, few and rarely written
 * - `operational`: counters, progress and short-lived facts of the whole service
 */
export const KINDS = {
  tenant: [
    'account',
    'account_delta',
    'account_freeze',
    'account_turnover',
    'administrator',
    'api_key',
    'app_user',
    'audit_log',
    'audited_balance',
    'balance_checkpoint',
    'bank_capture',
    'block',
    'command_text',
    'company_clock',
    'company_count',
    'company_count_change',
    'company_logo',
    'dispute_assignment',
    'dispute_note',
    'document',
    'document_chunk',
    'entry',
    'escrow',
    'escrow_event',
    'event',
    'event_fact',
    'event_set_aside',
    'fee_config',
    'hold',
    'hold_change',
    'idempotency',
    'intercompany_settlement',
    'ledger',
    'ledger_activity',
    'ledger_checkpoint',
    'ledger_transaction',
    'open_escrow_change',
    'open_escrow_tally',
    'payment_attempt',
    'payment_link',
    'payment_link_event',
    'payout_destination',
    'payout_limit',
    'receivable',
    'receivable_settlement',
    'refresh_token',
    'sandbox_message',
    'seal_queue',
    'sealed_balance',
    'transaction_status_change',
    'transaction_tally',
    'webhook_attempt',
    'webhook_delivery',
    'webhook_endpoint',
    'withdrawal',
    'withdrawal_event',
  ],
  // A registration at the checkout may belong to no company; a message and a one-time password are found by what a stranger sends.
  directory: ['checkout_registration', 'directory', 'messaging_event', 'one_time_password'],
  reference: ['company', 'currency', 'financial_institution'],
  // A refused command is found by its message alone: any client of Temporal can name a company.
  operational: ['event_feed', 'ledger_audit', 'login_try', 'mikro_orm_migrations', 'refused_command', 'seal_progress'],
} as const;
