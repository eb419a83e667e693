import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { z } from 'zod';
import { CURRENCY_CODES } from '../src/domain/money.ts';

/** A bare Hono POST that parses its body with zod and does nothing else: the cost of HTTP itself. Prints its port. */
const Body = z.object({ userId: z.string(), amount: z.int(), currency: z.enum(CURRENCY_CODES) });
const app = new Hono();
app.post('/', async (c) => c.json(Body.parse(await c.req.json()), 201));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port));
