import type { Company } from '../../db/entities/tenancy.ts';
import { Refusal } from '../../domain/errors.ts';

/** The addresses of a company's shop that the checkout leads buyers back to. */

export type ReturnRules = { readonly isProduction: boolean };

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Throws `return_host_not_listed` unless the URL is https, without a name and password, on one of the company's
 * `checkout_hosts`. Outside production, a shop on the developer's own machine needs neither.
 */
export function requireReturnUrl(
  text: string,
  { checkoutHosts }: Pick<Company, 'checkoutHosts'>,
  { isProduction }: ReturnRules,
): void {
  const { protocol, hostname, username, password } = new URL(text);
  const isPlain = username === '' && password === '';
  const isLocal = !isProduction && protocol === 'http:' && LOCAL_HOSTS.includes(hostname);
  const isListed = protocol === 'https:' && checkoutHosts.includes(hostname);
  if (!isPlain || !(isLocal || isListed))
    throw new Refusal('return_host_not_listed', `${hostname} is not an https host of checkout_hosts`);
}
