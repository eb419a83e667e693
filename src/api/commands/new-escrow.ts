import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import type { CommandContent } from '../../db/entities/escrow.ts';
import { AppUser, type Company } from '../../db/entities/tenancy.ts';
import { Refusal } from '../../domain/errors.ts';
import type { EscrowTerms, OrderedItem } from '../../domain/escrow/escrow.ts';
import type { CompanyId, ItemId, MilestoneId, UserId } from '../../domain/ids.ts';
import type { Agreement } from '../schemas/escrow.ts';

/** What a new escrow needs, both when it starts at once and when it waits for a payment link. */

/** Throws `unknown_user`, naming `field`. */
export async function requireParty(
  em: EntityManager,
  companyId: CompanyId,
  userId: UserId,
  field: 'buyerId' | 'sellerId',
): Promise<void> {
  if ((await em.count(AppUser, { id: userId, companyId })) === 0)
    throw new Refusal('unknown_user', `${field} names no user of the company`);
}

type RequestedItem = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly quantity: number;
  readonly pricePerUnit: bigint;
};

/**
 * The texts of the ordered items, with new ids. They are stored before the command is sent, so that a retry finds the same ids.
 */
export function itemTexts(items: readonly RequestedItem[]): NonNullable<CommandContent['items']> {
  return items.map(({ name, description }) => ({ itemId: uuidv7(), name, description: description ?? null }));
}

/** The ordered items, with the ids from `itemTexts`. */
export function orderedItems(items: readonly RequestedItem[], kept: CommandContent): OrderedItem[] {
  return items.map(({ quantity, pricePerUnit }, index) => ({
    itemId: keptId<ItemId>(kept.items?.[index]?.itemId),
    quantity,
    pricePerUnitCents: pricePerUnit,
  }));
}

/** The texts of the milestones, with new ids. They are stored like those of the items. */
export function milestoneTexts(
  milestones: NonNullable<Agreement['milestones']>,
): NonNullable<CommandContent['milestones']> {
  return milestones.map(({ title, description }) => ({
    milestoneId: uuidv7(),
    title,
    description: description ?? null,
  }));
}

/** The milestones, with the ids from `milestoneTexts`. */
export function agreedMilestones(milestones: NonNullable<Agreement['milestones']>, kept: CommandContent) {
  return milestones.map(({ percentage: weightHundredths }, index) => ({
    milestoneId: keptId<MilestoneId>(kept.milestones?.[index]?.milestoneId),
    weightHundredths,
  }));
}

/** Who pays the fees, and when the money is released by itself: as requested, else as the company has it. */
export function agreedRelease(
  { feePayer, milestones, autoReleaseHours }: Agreement,
  company: Company,
): Pick<EscrowTerms, 'feePayer' | 'autoReleaseHours'> {
  const hasMilestones = (milestones ?? []).length > 0;
  return {
    feePayer: feePayer ?? 'SELLER',
    autoReleaseHours: hasMilestones ? null : (autoReleaseHours ?? company.autoReleaseHours ?? null),
  };
}

/** An id that was made and stored before the command was sent. */
function keptId<T extends string>(kept: string | undefined): T {
  if (kept === undefined) throw new Error('a stored command lacks some of its ids');
  return kept as T; // the caller names the kind of id that it stored
}
