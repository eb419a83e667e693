import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import type { ApiClient } from '../../api-client.ts';
import { type Html, rich } from '../../components/html.ts';
import { time } from '../../components/time.ts';
import { type Message, t } from '../../language/message.ts';
import { actsOf } from '../../object-links.ts';
import type { Visit } from '../../page.ts';
import { staffOf } from '../escrows/story.ts';

type Account = AnswerOf<Operation<'get', '/v1/ledger/accounts/{accountId}'>>;

/** Whose account it is: the user's name, else the name of the ledger. */
export function ownerOf({ ledger: { name, user } }: Pick<Account, 'ledger'>): string {
  const parts = [user?.first_name, user?.last_name].filter((part) => part != null);
  return parts.join(' ') || name;
}

/** Nothing can be withdrawn from the account of a blacklisted user. Accounts of the company have no such owner. */
async function isOwnerBlacklisted(api: ApiClient, { ledger: { user } }: Pick<Account, 'ledger'>): Promise<boolean> {
  if (user === null) return false;
  const { identityStatus } = await api.get('/v1/identity/users/{id}', { path: { id: user.id } });
  return identityStatus === 'BLACKLISTED';
}

const BLACKLISTED_OWNER = t('The user is blacklisted, so nothing can be withdrawn from this account.');

/** Why nothing can be withdrawn from the account, whatever its balance is; null if it can. */
export async function withdrawalObstacle(visit: Visit, account: Account): Promise<Html | Message | null> {
  if (account.is_frozen) return frozenText(account.last_freeze, visit);
  return (await isOwnerBlacklisted(visit.api, account)) ? BLACKLISTED_OWNER : null;
}

async function frozenText(last: Account['last_freeze'], visit: Visit): Promise<Html | Message> {
  if (last === null) return t('The account is frozen, so no money leaves it.');
  const at = { time: time(last.at) };
  if (last.is_by_platform)
    return rich('The platform has frozen the account, last on {time}, so no money leaves it. It alone lifts that.', at);
  const who = (await staffOf(visit)).get(last.by) ?? actsOf(last.by);
  return rich('{who} froze the account on {time}, so no money leaves it.', { ...at, who });
}
