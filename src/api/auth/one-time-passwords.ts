import { createHmac, randomInt } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { SandboxMessage } from '../../db/operations/sandbox-messages.ts';
import { Refusal } from '../../domain/errors.ts';
import type { CommandId, CompanyId, Id } from '../../domain/ids.ts';
import { type Currency, formatAmount } from '../../domain/money.ts';
import { dialled } from '../../domain/phone.ts';
import type { Messaging, OrderCode } from '../../providers/messaging/port.ts';
import { DATABASE_LIMITS } from '../limits.ts';
import { networkOf } from '../middleware/client-address.ts';

const { passwordsPerHour, passwordsOfNumberPerTenMinutes } = DATABASE_LIMITS;
const TOO_MANY_CODES =
  `a code can be sent once a minute and ${passwordsPerHour} times an hour for a payment, and ` +
  `${passwordsOfNumberPerTenMinutes} times in ten minutes to a number`;

/**
 * One-time passwords by messaging app: 6 digits, valid for 300 s and five attempts, for one payment each. Phone numbers,
 * networks and codes are stored as keyed hashes. Requests and attempts are counted in the database, so that all replicas share
 * the limits.
 */

export const OTP_LIFETIME_SECONDS = 300;
const CODE_DIGITS = 6;

/** The link that a code pays, and the values in its message. */
type PayableLink = {
  readonly id: Id<'paymentLink'>;
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly amountCents: bigint;
  readonly currency: Currency;
};

type CodeRequest = {
  readonly mobileNumber: string;
  /** The link that the caller named. Null: the newest links that the number's owner can pay; the code pays one of them. */
  readonly link: (PayableLink & { readonly buyer: { readonly mobileNumber: string } }) | null;
  readonly clientAddress: string;
};

/** A code that a number sent for a link. */
export type LinkCode = {
  readonly companyId: CompanyId;
  /** The link, or what else the code belongs to. */
  readonly linkId: string;
  readonly mobileNumber: string;
  readonly code: string;
};

/** A code for acting on an order page. */
type OrderCodeRequest = {
  readonly companyId: CompanyId;
  /** Of the order and the party. A UUID. */
  readonly targetId: string;
  readonly mobileNumber: string;
  /** What the message says beside the code. */
  readonly names: Omit<OrderCode, 'code'>;
  readonly clientAddress: string;
};

export type OneTimePasswords = {
  /** Sends a code to a party of an order. Throws `too_many_requests`. `consume` takes it, with the target in place of the link. */
  readonly requestForOrder: (asked: OrderCodeRequest) => Promise<void>;
  /**
   * Sends a code if the number belongs to the link's buyer. The answer is the same in either case. Throws `too_many_requests`
   * beyond the limits of `DATABASE_LIMITS`: of a number and link, of a number over all links and companies, of a number without a
   * link, and of a network. Numbers that nobody has count alike.
   */
  readonly request: (asked: CodeRequest) => Promise<void>;
  /**
   * Uses up the link's codes for a command. Returns the command that has the code: another one if the same request came before, and
   * `commandId` otherwise. A code that was used up for null is never right again. Throws `otp_invalid`, `otp_expired`, `otp_locked`.
   */
  readonly consume: <Command extends CommandId | null>(
    code: LinkCode,
    commandId: Command,
  ) => Promise<Command | CommandId>;
  /** Makes the command's code usable again until it expires, because the payment was refused and no money moved. */
  readonly giveBack: (code: LinkCode, commandId: CommandId) => Promise<void>;
};

type NewestLink = {
  id: Id<'paymentLink'>;
  company_id: CompanyId;
  company_name: string;
  currency: Currency;
  amount_cents: string;
};

export function createOneTimePasswords(dependencies: {
  readonly orm: MikroORM;
  readonly messaging: Messaging;
  readonly secret: string;
  /** Codes that one network may ask for in ten minutes. */
  readonly mostFromNetwork: number;
  /** Keeps a message that was sent for the company. */
  readonly keep?: (companyId: CompanyId, message: SandboxMessage) => Promise<void>;
  readonly log: Logger;
}): OneTimePasswords {
  const { orm, messaging, secret, mostFromNetwork, log, keep } = dependencies;
  const hash = (purpose: string, ...parts: readonly string[]) =>
    createHmac('sha256', `one-time-password:${secret}`)
      .update(JSON.stringify([purpose, ...parts]))
      .digest();
  const codeHash = (mobileNumber: string, code: string) => hash('code', mobileNumber, code);

  async function newestLinks(mobileNumber: string): Promise<PayableLink[]> {
    const rows = await orm.em.fork().execute<NewestLink[]>('select * from otp_newest_links(?)', [mobileNumber]);
    return rows.map(({ id, company_id: companyId, company_name: companyName, currency, amount_cents: cents }) => ({
      id,
      companyId,
      companyName,
      currency,
      amountCents: BigInt(cents),
    }));
  }

  type Begun = {
    /** The link or target for which it is counted. */
    readonly asked: string;
    /** Counted by itself, and not within what the number may ask for. */
    readonly isByNumberAlone: boolean;
    /** The links, or what else the code belongs to. */
    readonly targetIds: readonly string[];
    /** Whose time the code expires by. Null: of the companies of the links. */
    readonly companyId: CompanyId | null;
    readonly mobileNumber: string;
    readonly clientAddress: string;
  };

  /** Stores a new code and returns it. Throws `too_many_requests`. */
  async function begin({
    asked,
    isByNumberAlone,
    targetIds,
    companyId,
    mobileNumber,
    clientAddress,
  }: Begun): Promise<string> {
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
    const [begun] = await orm.em
      .fork()
      .execute<{ wait: number }[]>('select otp_begin(?, ?, ?, ?::uuid[], ?, ?::interval, ?, ?::uuid) as wait', [
        hash('asked', dialled(mobileNumber), asked),
        isByNumberAlone ? null : hash('number', dialled(mobileNumber)),
        hash('network', networkOf(clientAddress)),
        `{${targetIds.join()}}`,
        codeHash(mobileNumber, code),
        `${OTP_LIFETIME_SECONDS} seconds`,
        mostFromNetwork,
        companyId,
      ]);
    if (begun === undefined || begun.wait > 0)
      throw new Refusal('too_many_requests', TOO_MANY_CODES, { retryAfterSeconds: begun?.wait ?? 60 });
    return code;
  }

  return {
    async requestForOrder({ companyId, targetId, mobileNumber, names, clientAddress }) {
      const code = await begin({
        asked: targetId,
        isByNumberAlone: false,
        targetIds: [targetId],
        companyId,
        mobileNumber,
        clientAddress,
      });
      const { merchant, amount } = names;
      messaging
        .sendOrderCode(mobileNumber, { ...names, code })
        .then(() => keep?.(companyId, { to: mobileNumber, code, merchant, amount }))
        .catch((error: unknown) => log.error({ err: error }, 'a one-time password could not be sent'));
    },

    async request({ mobileNumber, link: named, clientAddress }) {
      const isBuyer = named !== null && named.buyer.mobileNumber === mobileNumber;
      const links = named === null ? await newestLinks(mobileNumber) : isBuyer ? [named] : [];
      const code = await begin({
        asked: named?.id ?? '',
        isByNumberAlone: named === null,
        targetIds: links.map(({ id }) => id),
        companyId: null,
        mobileNumber,
        clientAddress,
      });
      const [first, ...others] = links;
      if (first === undefined) return;
      const amount = amountOf(first);
      // The message is a template that says what is paid to whom: several payments continue the sentence.
      const merchant = [first.companyName, ...others.map((link) => `${amountOf(link)} to ${link.companyName}`)].join(
        ', ',
      );
      // Not awaited: a slower answer for known numbers would reveal which numbers are known.
      messaging
        .sendOneTimePassword(mobileNumber, { code, merchant, amount })
        // Each company keeps its own part.
        .then(() =>
          Promise.all(
            links.map((link) =>
              keep?.(link.companyId, { to: mobileNumber, code, merchant: link.companyName, amount: amountOf(link) }),
            ),
          ),
        )
        .catch((error: unknown) => log.error({ err: error }, 'a one-time password could not be sent'));
    },

    async consume({ companyId, linkId, mobileNumber, code }, commandId) {
      const [row] = await orm.em
        .fork()
        .execute<{ outcome: string; command_id: CommandId | null }[]>('select * from otp_consume(?, ?, ?, ?)', [
          companyId,
          linkId,
          codeHash(mobileNumber, code),
          commandId,
        ]);
      if (row?.outcome === 'consumed') return row.command_id ?? commandId;
      throw new Refusal(
        row?.outcome === 'locked' ? 'otp_locked' : row?.outcome === 'expired' ? 'otp_expired' : 'otp_invalid',
      );
    },

    async giveBack({ companyId, linkId, mobileNumber, code }, commandId) {
      const hashed = codeHash(mobileNumber, code);
      await orm.em.fork().execute('select otp_give_back(?, ?, ?, ?)', [companyId, linkId, hashed, commandId]);
    },
  };
}

const amountOf = ({ currency, amountCents }: PayableLink) => `${currency} ${formatAmount(amountCents, currency)}`;
