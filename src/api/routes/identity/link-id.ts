import { z } from '@hono/zod-openapi';
import { assertNoProbing, countMatch, identityStandingOf } from '../../../db/identity/blacklist.ts';
import { personHashes } from '../../../db/identity/person-hashes.ts';
import { idNumberOf, lockUser, saveUser } from '../../../db/identity/users.ts';
import { publicId } from '../../../domain/ids.ts';
import { withChangedEvidence } from '../../../domain/users.ts';
import { changeAudited } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { noteChanges } from '../../middleware/audit.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { pathIds, text } from '../../schemas/common.ts';
import { idNumber } from '../../schemas/identity.ts';

const LinkId = z
  .object({
    idNumber: idNumber().describe('The national id number.'),
    customReference: text().nullish().describe('Bank deposits with this reference go to the user.'),
  })
  .openapi('LinkId');
const IdLinked = z
  .object({
    userId: z.string().describe('The user.'),
    kycLevel: z.int().describe('1: registered; 2: approved by the platform.'),
    idLinked: z.boolean().describe('Always true.'),
  })
  .openapi('IdLinked');

export function registerLinkId(operation: Operations, { orm, cipher }: ApiDependencies): void {
  operation(
    {
      method: 'post',
      path: '/v1/identity/users/{id}/link-id',
      tag: 'Identity',
      summary: "Set the user's national id number, and a reference for deposits",
      description: 'A different number returns an approved user to level 1 until the platform approves them again.',
      access: tenant('operate'),
      params: pathIds({ id: 'user' }),
      body: LinkId,
      success: ok(IdLinked),
      refusals: ['not_found', 'already_exists', 'too_many_requests'],
    },
    async ({ params: { id }, body: { idNumber, customReference }, companyId, c }) => {
      const user = await changeAudited(c, { orm }, async (em) => {
        const found = await lockUser(em, companyId, id);
        const isSame = idNumberOf(found, cipher) === idNumber;
        const encrypted = () => cipher.encrypt('app_user.id_number', found.id, idNumber);
        const isNews = !isSame || found.isSelfRegistered;
        if (isNews) await assertNoProbing(em, companyId, 'company');
        const before = await identityStandingOf(em, companyId, found.id);
        const { ofIdNumber } = await personHashes(em, cipher);
        const changes = {
          ...(isNews ? { idNumberHash: ofIdNumber(idNumber), isSelfRegistered: false } : {}),
          ...(isSame ? {} : { idNumber: encrypted(), ...withChangedEvidence(found, 'ID_NUMBER') }),
          ...(customReference == null || customReference === found.customReference ? {} : { customReference }),
        };
        if (changes.customReference !== undefined)
          noteChanges(c, [
            { field: 'customReference', before: found.customReference ?? null, after: changes.customReference },
          ]);
        if (Object.keys(changes).length > 0) em.assign(found, { ...changes, updatedAt: new Date() });
        await saveUser(em);
        if (isNews)
          await countMatch(em, companyId, 'company', {
            now: await identityStandingOf(em, companyId, found.id),
            before,
          });
        return found;
      });
      return { userId: publicId('user', user.id), kycLevel: user.kycLevel, idLinked: true };
    },
  );
}
