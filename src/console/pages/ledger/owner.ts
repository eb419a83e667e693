import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';

type Account = AnswerOf<Operation<'get', '/v1/ledger/accounts/{accountId}'>>;

/** Whose account it is: the user's name, else the name of the ledger. */
export function ownerOf({ ledger: { name, user } }: Pick<Account, 'ledger'>): string {
  const parts = [user?.first_name, user?.last_name].filter((part) => part != null);
  return parts.join(' ') || name;
}
