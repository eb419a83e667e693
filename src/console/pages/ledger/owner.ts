import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import type { ApiClient } from '../../api-client.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
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
  if (account.is_frozen) return frozenText(account.freezes, visit);
  return (await isOwnerBlacklisted(visit.api, account)) ? BLACKLISTED_OWNER : null;
}

/** Who froze it and when: the platform, the company, or both. The platform's freeze is lifted by the platform alone. */
async function frozenText(freezes: Account['freezes'], visit: Visit): Promise<Html | Message> {
  if (freezes.length === 0) return t('The account is frozen, so no money leaves it.');
  const staff = freezes.every((one) => one.is_by_platform) ? null : await staffOf(visit);
  const sentences = freezes.map(({ is_by_platform: isByPlatform, by, at }) =>
    isByPlatform
      ? rich('The platform froze the account on {time}, so no money leaves it. It alone lifts that.', {
          time: time(at),
        })
      : rich('{who} froze the account on {time}, so no money leaves it.', {
          time: time(at),
          who: staff?.get(by) ?? actsOf(by),
        }),
  );
  return html`${sentences.map((one, index) => html`${index === 0 ? NOTHING : ' '}${one}`)}`;
}
