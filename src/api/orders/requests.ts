import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { readDetails } from '../../db/core/field-cipher.ts';
import { inTenant } from '../../db/core/orm.ts';
import { findEventOf } from '../../db/entities/stored-events.ts';
import {
  abandonDecision,
  addOrderRequest,
  beginDecision,
  closeOrderRequest,
  isOrderRequestKnown,
  type OrderRequestRecord,
  requireNoWaitingRequest,
} from '../../db/escrow/order-requests.ts';
import { isRefused, Refusal } from '../../domain/errors.ts';
import type { OrderedBy } from '../../domain/escrow/escrow.ts';
import { type CompanyId, idMadeBy } from '../../domain/ids.ts';
import { commandIdFrom } from '../../domain/messages/ids.ts';
import { ORDER_ACTS, type OrderAct, stopsRelease } from '../../domain/order-pages.ts';
import { mayAct } from '../../domain/roles.ts';
import type { BankDetails } from '../../domain/withdrawal/bank-details.ts';
import { requireEscrow, sendEscrowCommand } from '../commands/escrow-commands.ts';
import type { CommandSubject } from '../commands/idempotency.ts';
import type { ApiDependencies, ApiEnv } from '../context.ts';
import { lacks, requireFreshFactor } from '../middleware/guard.ts';
import { type Circumstances, type Deed, performAct, possibleActs } from './acts.ts';

/**
 * Acts that happen when the company approves them. A request knows the command that will carry it out, so it happens once.
 */

type Dependencies = Pick<ApiDependencies, 'orm' | 'commands' | 'requests' | 'cipher' | 'settings'>;
type Asked = Pick<Deed, 'act' | 'party' | 'commandId' | 'wish' | 'bankDetails'>;

/**
 * What approving an act needs, once or in advance: its permission, and where money leaves by it, a code of the caller's second factor.
 * Throws `forbidden`, `mfa_required`.
 */
export async function requireRightTo(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'secondFactor'>,
  act: OrderAct,
): Promise<void> {
  const { permission } = ORDER_ACTS[act];
  const principal = c.get('principal');
  if (!mayAct(principal, permission)) throw lacks(permission);
  if (permission === 'manage_money') await requireFreshFactor(c, dependencies, principal);
}

/**
 * Asks the company for an act, once per command id. Where the request stops the automatic release, the escrow's run stops it first:
 * an interruption between the two leaves a stop that lapses. Throws `wrong_state` if the act is not possible, or if such a request waits already.
 */
export async function ask(
  dependencies: Dependencies,
  companyId: CompanyId,
  escrow: CommandSubject,
  { act, party, commandId, wish, bankDetails }: Asked,
  circumstances: Circumstances,
): Promise<void> {
  const { orm, cipher } = dependencies;
  const { askHours } = circumstances.settings;
  const id = idMadeBy('orderRequest', commandId);
  const of = { escrowId: escrow.id, act, party };
  const isKnown = await inTenant(orm, companyId, async (em) => {
    if (await isOrderRequestKnown(em, companyId, id)) return true;
    if (!possibleActs(escrow.state, { ...circumstances, asked: [] }).includes(act)) throw new Refusal('wrong_state');
    await requireNoWaitingRequest(em, companyId, of);
    return false;
  });
  if (isKnown) return;
  if (stopsRelease(act, party) && escrow.status !== 'DISPUTED')
    await sendEscrowCommand(dependencies, escrow, 'stop-auto-release', {
      commandId: commandIdFrom(`stop-auto-release/${commandId}`),
      requestId: id,
      hours: askHours,
    });
  const secret = bankDetails === null ? null : cipher.encrypt('order_request.secret', id, JSON.stringify(bankDetails));
  const isAdded = await inTenant(orm, companyId, (em) =>
    addOrderRequest(em, { id, companyId, ...of, details: wish, secret, askHours }),
  );
  if (isAdded) return;
  await resume(dependencies, companyId, { id, escrowId: escrow.id });
  throw new Refusal('wrong_state', 'a request for this is already waiting for an answer');
}

/** What `ask` has encrypted. */
function detailsIn(secret: string): BankDetails {
  return JSON.parse(secret) as BankDetails;
}

/** Refusals of a request that was good when it was made. */
function notApplicable(error: Refusal): Refusal {
  return new Refusal(
    'wrong_state',
    `the request does not apply any more (${error.code}: ${error.message}). It still waits`,
  );
}

/** Runs in the transaction with which a decision begins: without it nothing follows. */
type Recorded = (em: EntityManager) => Promise<void>;

/** Carries out a request and closes it. Throws `wrong_state` if it is closed, or if it does not apply any more and still waits. */
export async function approve(
  dependencies: Dependencies,
  companyId: CompanyId,
  request: OrderRequestRecord,
  now: Date,
  by: OrderedBy,
  record: Recorded,
): Promise<void> {
  const { orm } = dependencies;
  const one = { companyId, id: request.id };
  await inTenant(orm, companyId, async (em) => {
    await beginDecision(em, one, 'APPROVED');
    await record(em);
  });
  const { escrowId, act, party, commandId, details: wish, secret } = request;
  const bankDetails =
    secret === null ? null : detailsIn(readDetails(dependencies.cipher, 'order_request.secret', request.id, secret));
  try {
    // It may have been carried out before an interruption.
    const done = await inTenant(orm, companyId, (em) => findEventOf(em, 'escrow', companyId, escrowId, commandId));
    if (done === null) {
      const escrow = await requireEscrow(dependencies, companyId, escrowId);
      await performAct(dependencies, escrow, {
        act,
        party,
        commandId,
        wish,
        bankDetails,
        now,
        requestId: request.id,
        by,
      });
    }
  } catch (error) {
    if (!isRefused(error)) throw error;
    await inTenant(orm, companyId, (em) => abandonDecision(em, one));
    throw notApplicable(error);
  }
  await resume(dependencies, companyId, request);
  await inTenant(orm, companyId, (em) => closeOrderRequest(em, one, 'APPROVED', null));
}

/** Closes a request, and lets the automatic release go on. Throws `wrong_state` if it is closed. */
export async function refuseRequest(
  dependencies: Dependencies,
  companyId: CompanyId,
  request: OrderRequestRecord,
  reason: string | null,
  record: Recorded,
): Promise<void> {
  const { orm } = dependencies;
  const one = { companyId, id: request.id };
  await inTenant(orm, companyId, async (em) => {
    await beginDecision(em, one, 'REFUSED');
    await record(em);
  });
  await resume(dependencies, companyId, request);
  await inTenant(orm, companyId, (em) => closeOrderRequest(em, one, 'REFUSED', reason));
}

/** Lets the automatic release go on, if the request stops it. */
async function resume(
  dependencies: Dependencies,
  companyId: CompanyId,
  { id, escrowId }: Pick<OrderRequestRecord, 'id' | 'escrowId'>,
): Promise<void> {
  const escrow = await requireEscrow(dependencies, companyId, escrowId);
  if (escrow.state.stopped?.by.some(({ requestId }) => requestId === id) !== true) return;
  const commandId = commandIdFrom(`resume-auto-release/${id}`);
  try {
    await sendEscrowCommand(dependencies, escrow, 'resume-auto-release', { commandId, requestId: id });
  } catch (error) {
    if (!isRefused(error)) throw error; // else the stop has lapsed, or the escrow has ended meanwhile
  }
}
