import type { MikroORM } from '@mikro-orm/postgresql';
import { createEscrowActivities, type EscrowActivities } from './escrow.activities.ts';

export type ActivityDependencies = {
  /** Connected as `escrow_worker`, which sees every tenant. */
  readonly orm: MikroORM;
};

export type Activities = EscrowActivities;

/** Every activity the worker offers, with what they need bound in. */
export function createActivities({ orm }: ActivityDependencies): Activities {
  return { ...createEscrowActivities(orm) };
}
