import { describe, expect, test } from '@jest/globals';
import { createApiClient } from '../../src/console/api-client.ts';

/** The address that the console asks in the API is always that of the operation that a page names. */

function newClient() {
  const asked: string[] = [];
  const dispatch = async ({ method, url }: Request) => {
    asked.push(`${method} ${url.replace('http://console.invalid', '')}`);
    return Response.json({});
  };
  const client = createApiClient(
    { dispatch, env: {}, requestId: 'one', forwardedFor: undefined, userAgent: undefined },
    null,
  );
  return { client, asked };
}

describe('an empty parameter', () => {
  test('of a list means no filter', async () => {
    const { client, asked } = newClient();
    await client.get('/v1/escrow', { query: { externalReference: '', limit: 5 } });
    expect(asked).toEqual(['GET /v1/escrow?limit=5']);
  });

  test('of an action is refused, because without it the action is another one', async () => {
    const { client, asked } = newClient();
    const release = client.post('/v1/escrow/{id}/release', { path: { id: 'esc_1' }, query: { milestoneId: '' } });
    await expect(release).rejects.toMatchObject({ status: 422, errors: [{ path: 'milestoneId' }] });
    await client.post('/v1/escrow/{id}/release', { path: { id: 'esc_1' }, query: { milestoneId: 'mst_1' } });
    expect(asked).toEqual(['POST /v1/escrow/esc_1/release?milestoneId=mst_1']);
  });
});

test.each(['', '.', '..'])('the id "%s" leads to the path of no other operation', async (id) => {
  const { client, asked } = newClient();
  await expect(client.get('/v1/escrow/{id}', { path: { id } })).rejects.toMatchObject({ status: 422 });
  expect(asked).toEqual([]);
});
