import { inTenant } from '../../db/core/orm.ts';
import { Company } from '../../db/entities/tenancy.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { isPhoneRegion, type PhoneRegion, parsePhone, plainE164 } from '../../domain/phone.ts';
import type { ApiDependencies } from '../context.ts';
import { InvalidRequest } from '../problem.ts';

type Dependencies = Pick<ApiDependencies, 'orm' | 'settings'>;

/**
 * The number in a request, in E.164. Without a plus it is read as people in the company's region write it, and in the platform's
 * region where there is no company. Throws `validation_failed` for what is no number there.
 */
export async function phoneOf(
  dependencies: Dependencies,
  companyId: CompanyId | null,
  field: string,
  typed: string,
): Promise<string> {
  const plain = plainE164(typed);
  if (plain !== undefined) return plain;
  const region = await phoneRegionOf(dependencies, companyId);
  const phone = parsePhone(typed, region);
  if (phone !== undefined) return phone;
  const message = `must be a phone number, with + and the country code or as it is written in ${region}`;
  throw new InvalidRequest('validation_failed', [{ path: field, message }]);
}

async function phoneRegionOf({ orm, settings }: Dependencies, companyId: CompanyId | null): Promise<PhoneRegion> {
  if (companyId === null) return settings.defaultPhoneRegion;
  const company = await inTenant(orm, companyId, (em) => em.findOne(Company, { id: companyId }));
  const own = company?.defaultPhoneRegion ?? null;
  return own !== null && isPhoneRegion(own) ? own : settings.defaultPhoneRegion;
}
