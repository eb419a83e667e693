import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import type { ApiClient } from '../../api-client.ts';
import { t } from '../../language/message.ts';

type Account = AnswerOf<Operation<'get', '/v1/ledger/accounts/{accountId}'>>;

/** Whose account it is: the user's name, else the name of the ledger. */
export function ownerOf({ ledger: { name, user } }: Pick<Account, 'ledger'>): string {
  const parts = [user?.first_name, user?.last_name].filter((part) => part != null);
  return parts.join(' ') || name;
}

/** Nothing can be withdrawn from the account of a blacklisted user. Accounts of the company have no such owner. */
export async function isOwnerBlacklisted(
  api: ApiClient,
  { ledger: { user } }: Pick<Account, 'ledger'>,
): Promise<boolean> {
  if (user === null) return false;
  const { identityStatus } = await api.get('/v1/identity/users/{id}', { path: { id: user.id } });
  return identityStatus === 'BLACKLISTED';
}

export const BLACKLISTED_OWNER = t('The user is blacklisted, so nothing can be withdrawn from this account.');
