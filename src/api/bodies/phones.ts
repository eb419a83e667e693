import { readTenant } from '../../db/core/orm.ts';
import { Company } from '../../db/entities/tenancy.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { isPhoneRegion, type PhoneRegion, parsePhone, plainE164 } from '../../domain/phone.ts';
import type { ApiDependencies } from '../context.ts';
import { InvalidRequest } from '../problem.ts';

type Dependencies = Pick<ApiDependencies, 'orm' | 'settings'>;

/**
 * Converts a phone number of a request to E.164. A number without a plus is read as a national number of the company's region,
 * or of the platform's region if there is no company. Throws `validation_failed` for an invalid number.
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
  const company = await readTenant(orm, companyId, (em) => em.findOne(Company, { id: companyId }));
  const own = company?.defaultPhoneRegion ?? null;
  return own !== null && isPhoneRegion(own) ? own : settings.defaultPhoneRegion;
}
