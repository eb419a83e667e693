import type { EntitySchema } from '@mikro-orm/postgresql';
import { CommandText, EscrowEventRow, EscrowRow } from './escrow.ts';
import { Document, FinancialInstitution } from './identity.ts';
import { PaymentAttemptRow, PaymentLinkEventRow, PaymentLinkRow } from './payment-link.ts';
import { Administrator, ApiKey, AppUser, Company, CompanyLogo, Idempotency, RefreshToken, Session } from './tenancy.ts';
import { PayoutDestination, WithdrawalEventRow, WithdrawalRow } from './withdrawal.ts';

/** All rows that MikroORM maps. The ledger's rows are written only by its SQL functions and read by SQL. */
export const entities: readonly EntitySchema[] = [
  Company,
  CompanyLogo,
  Administrator,
  ApiKey,
  Session,
  RefreshToken,
  AppUser,
  Document,
  FinancialInstitution,
  Idempotency,
  EscrowRow,
  EscrowEventRow,
  CommandText,
  PaymentLinkRow,
  PaymentLinkEventRow,
  PaymentAttemptRow,
  WithdrawalRow,
  WithdrawalEventRow,
  PayoutDestination,
];
