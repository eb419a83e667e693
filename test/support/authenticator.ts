import { Secret, TOTP } from 'otpauth';
import type { TestAdministrator } from './api.ts';
import { done } from './service.ts';

/** An authenticator app. Every code is of a later time step than the one before, because a code works once. */
export type Authenticator = {
  readonly recoveryCodes: readonly string[];
  /** A code that was not used. There are few: the service accepts the steps around now only. */
  code(): string;
};

const STEP_SECONDS = 30;

/** The codes of the app with this secret, each once. Three time steps are valid at any time, and the earliest comes first. */
export function authenticatorOf(secret: string): () => string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  let step = Math.floor(Date.now() / 1_000 / STEP_SECONDS) - 1;
  return () => {
    const timestamp = step * STEP_SECONDS * 1_000;
    step += 1;
    return totp.generate({ timestamp });
  };
}

/** Sets up and confirms a second factor. */
export async function enrol(administrator: Pick<TestAdministrator, 'request'>): Promise<Authenticator> {
  const { body } = await done(administrator.request('POST', '/v1/auth/totp'));
  const code = authenticatorOf(body.secret);
  const confirm = () => administrator.request('POST', '/v1/auth/totp/confirm', { body: { code: code() } });
  let confirmed = await confirm();
  if (confirmed.status === 401) confirmed = await confirm(); // a time step ended on the way, and the earliest code with it
  return { recoveryCodes: (await done(Promise.resolve(confirmed))).body.recoveryCodes, code };
}
