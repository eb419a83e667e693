import { expect, test } from '@jest/globals';
import { answering, storing } from '../../../src/api/schemas/common.ts';

type Row = { readonly id: string; readonly amountCents: bigint; readonly proof: string };
type View = { readonly id: string; readonly amount_cents: string };

/** The compiler makes these tests: an error that is missing is one too. */
test('a view names each column that it has not', () => {
  const view = answering<Row, View>({ proof: null })(({ id, amountCents }, unit: bigint) => ({
    id,
    amount_cents: (amountCents * unit).toString(),
  }));
  expect(view({ id: 'a', amountCents: 2n, proof: 'x' }, 100n)).toEqual({ id: 'a', amount_cents: '200' });
  // @ts-expect-error the proof is neither answered nor left out
  answering<Row, View>({});
  // @ts-expect-error a column that is answered is not left out
  answering<Row, View>({ proof: null, id: null });
  // @ts-expect-error no field of the view
  answering<Row, View>({ proof: 'signature' });
});

test('a request names the column of each field that has another name, and stores the others', () => {
  const columns = storing<View & { readonly signature: string }, Row>({ signature: 'proof' })((body) => ({
    id: body.id,
    amountCents: BigInt(body.amount_cents),
    proof: body.signature,
  }));
  expect(columns({ id: 'a', amount_cents: '2', signature: 'x' })).toEqual({ id: 'a', amountCents: 2n, proof: 'x' });
  // @ts-expect-error no column stores the note
  storing<View & { readonly note: string }, Row>({});
  // @ts-expect-error the amount is accepted and not stored
  storing<View, Row>({})(({ id }) => ({ id }));
});
