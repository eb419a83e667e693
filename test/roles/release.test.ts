import { expect, test } from '@jest/globals';
import { startRelease } from '../../src/roles/release.ts';
import { testTemporal } from '../support/temporal.ts';

test('a release is refused by a server that does not move runs to the current version', async () => {
  const { address, namespace } = testTemporal();
  const env = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_DEPLOYMENT: 'escrow',
    TEMPORAL_BUILD_ID: '2',
  };
  const release = startRelease(env, () => undefined, new AbortController().signal);
  await expect(release).rejects.toThrow(/^Versioned workers need Temporal 1\.30 or later, and this server is 1\.29\./);
});
