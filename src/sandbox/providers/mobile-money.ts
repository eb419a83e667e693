import type { Hono } from 'hono';
import { z } from 'zod';
import { ISO_CURRENCIES } from '../../domain/money.ts';
import { bears, digitsOf, Recent, readJson } from './requests.ts';
import type { SandboxPart } from './sandbox.ts';

/**
 * A mobile money operator. Each prompt is approved after a moment, unless a tester sets another answer for the number, or it has a
 * fixed one.
 */

type MobileMoneyPartSettings = { readonly apiKey: string };

const OUTCOMES = ['approve', 'decline', 'silent'] as const;
type Outcome = (typeof OUTCOMES)[number];

const NewCharge = z.object({
  reference: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  phone: z.string().regex(/^\+\d{8,15}$/),
  amount: z.string().regex(/^\d{1,14}\.\d{2}$/),
  currency: z.enum(ISO_CURRENCIES),
});
const Decision = z.object({ phone: z.string().regex(/^[+ ]?\d{8,15}$/), outcome: z.enum(OUTCOMES) });

type SandboxCharge = z.infer<typeof NewCharge> & {
  readonly askedAt: number;
  /** The first answer is final. */
  answer: 'APPROVED' | 'DECLINED' | undefined;
  isReversed: boolean;
};

/** What prompts to these numbers do. Prompts to all other numbers are approved. The API's description and docs/guides/sandbox.md list them. */
const SANDBOX_PHONES = {
  '+263770000001': 'decline',
  '+263770000002': 'silent',
} as const;

/** The fixed answer to a prompt to this number, in E.164; undefined for other numbers. */
function sandboxPrompt(phone: string): 'decline' | 'silent' | undefined {
  return Object.entries(SANDBOX_PHONES).find(([number]) => number === phone)?.[1];
}

/** How long a person takes to answer. */
const ANSWER_DELAY_MS = 700;

const ANSWERS: Readonly<Record<Outcome, SandboxCharge['answer']>> = {
  approve: 'APPROVED',
  decline: 'DECLINED',
  silent: undefined,
};

export function mobileMoneyPart({ apiKey }: MobileMoneyPartSettings): SandboxPart {
  const charges = new Recent<SandboxCharge>();
  const outcomes = new Recent<Outcome>();
  const view = (charge: SandboxCharge) => {
    if (charge.answer === undefined && charge.askedAt + ANSWER_DELAY_MS <= Date.now())
      charge.answer = ANSWERS[outcomes.get(digitsOf(charge.phone)) ?? sandboxPrompt(charge.phone) ?? 'approve'];
    return { reference: charge.reference, status: charge.answer ?? 'PENDING' };
  };

  return {
    provider: 'mobile-money',

    wire(app, door) {
      app.post('/v1/charges', door, async (c) => {
        if (!bears(c, apiKey)) return c.json({ error: 'unauthenticated' }, 401);
        const parsed = NewCharge.safeParse(await c.req.json().catch(() => undefined));
        if (!parsed.success) return c.json({ error: 'invalid' }, 400);
        const { reference, phone, amount, currency } = parsed.data;
        const known = charges.get(reference);
        if (known !== undefined) {
          const isSame = known.phone === phone && known.amount === amount && known.currency === currency;
          return isSame ? c.json(view(known)) : c.json({ error: 'the reference is taken' }, 409);
        }
        const charge: SandboxCharge = { ...parsed.data, askedAt: Date.now(), answer: undefined, isReversed: false };
        charges.keep(reference, charge);
        return c.json(view(charge), 201);
      });
      app.post('/v1/charges/:reference/reversal', door, (c) => {
        if (!bears(c, apiKey)) return c.json({ error: 'unauthenticated' }, 401);
        const charge = charges.get(c.req.param('reference'));
        if (charge === undefined) return c.json({ error: 'unknown reference' }, 404);
        // Only an answered prompt can have been paid; a waiting prompt is cancelled.
        if (view(charge).status === 'PENDING') charge.answer = 'DECLINED';
        charge.isReversed = true;
        return c.json({ reference: charge.reference, status: 'REVERSED' });
      });
      app.get('/v1/charges/:reference', door, (c) => {
        if (!bears(c, apiKey)) return c.json({ error: 'unauthenticated' }, 401);
        const charge = charges.get(c.req.param('reference'));
        return charge === undefined ? c.json({ error: 'unknown reference' }, 404) : c.json(view(charge));
      });
    },

    control(app: Hono) {
      app.post('/mobile-money', async (c) => {
        const { phone, outcome } = await readJson(c, Decision);
        outcomes.keep(digitsOf(phone), outcome);
        return c.json({ phone, outcome });
      });
      app.get('/mobile-money', (c) => c.json(charges.values().map((charge) => ({ ...charge, ...view(charge) }))));
    },
  };
}
