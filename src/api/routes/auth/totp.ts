import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { noteFactor } from '../../../db/identity/factors.ts';
import { RECOVERY_CODES } from '../../auth/second-factor.ts';
import { audited } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { bearer, type Operations, ok } from '../../operation.ts';
import { factorCode, type SessionAnswers } from './answers.ts';

/** The caller's own second factor. */

const tag = 'Authentication';
const access = bearer('read', { missingFactor: 'accepted' });
const Code = z.object({ code: factorCode() }).openapi('FactorCode');

export function registerTotp(
  operation: Operations,
  { orm, secondFactor, mails }: ApiDependencies,
  { requireAdministrator }: SessionAnswers,
): void {
  operation(
    {
      method: 'post',
      path: '/v1/auth/totp',
      tag,
      summary: 'Begin to set up an authenticator app (RFC 6238) as second factor',
      description: 'It counts once a code confirms it. Until then a repetition makes another secret.',
      access,
      success: ok(
        z.object({
          secret: z.string().describe('In base32.'),
          otpauthUrl: z.string().describe('For a QR code.'),
        }),
      ),
      refusals: ['wrong_state'],
    },
    async ({ principal, c }) => {
      const administrator = await requireAdministrator(principal);
      return audited(c, (record) => secondFactor.enrol(administrator, record));
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/totp/confirm',
      tag,
      summary: 'Enable the second factor with a code of the app; the recovery codes are shown once',
      description: 'The service keeps only their hashes. Each one works once, in place of the app.',
      access,
      body: Code,
      success: ok(
        z.object({
          enabled: z.literal(true).describe('The second factor is required from now on.'),
          recoveryCodes: z.array(z.string()).length(RECOVERY_CODES).describe('Shown only in this response.'),
        }),
      ),
      refusals: ['wrong_state', 'invalid_credentials'],
    },
    async ({ body: { code }, principal, c }) => {
      const administrator = await requireAdministrator(principal);
      const { recoveryCodes } = await audited(c, (record) => secondFactor.confirm(administrator, code, record));
      if (principal.kind === 'administrator') {
        const { sessionId } = principal;
        const accepted = secondFactor.accepted(sessionId, code);
        await inTenant(orm, administrator.companyId, (em) => noteFactor(em, administrator, sessionId, accepted));
      }
      mails.factorChanged(administrator.email, 'enabled');
      return { enabled: true as const, recoveryCodes };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/totp/disable',
      tag,
      summary: 'Disable the second factor with one of its codes',
      description: 'Logins then need the password alone, unless the company requires a second factor.',
      access,
      body: Code,
      success: ok(z.object({ enabled: z.literal(false).describe('The second factor is disabled.') })),
      refusals: ['wrong_state', 'invalid_credentials'],
    },
    async ({ body: { code }, principal, c }) => {
      const administrator = await requireAdministrator(principal);
      await audited(c, (record) => secondFactor.disable(administrator, code, record));
      mails.factorChanged(administrator.email, 'disabled');
      return { enabled: false as const };
    },
  );
}
