import type { Context } from 'hono';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ORDER_ACT_NAMES, type OrderAct } from '../../domain/order-pages.ts';
import { isMultipart, readBody } from '../bodies/body-limits.ts';
import type { UploadedForm } from '../bodies/uploaded-file.ts';
import { readTextsBeforeFiles, readUploadedForm } from '../bodies/uploads.ts';
import { sayWhenToRetry, show } from '../checkout/answers.ts';
import type { Html } from '../checkout/layout.ts';
import { secure } from '../checkout/security.ts';
import type { ApiEnv } from '../context.ts';
import { BODY_LIMITS, WAIT_LIMITS } from '../limits.ts';
import { inUploadTurn } from '../middleware/rate-limit.ts';
import { Turnstile } from '../middleware/turnstile.ts';
import { statusOf } from '../problem.ts';
import type { Asked, OrderNotice } from './pages.ts';
import { ORDER_ENGLISH } from './texts/english.ts';

/**
 * The forms of order pages. Each is answered by a redirect to the page, which shows the state in the database. A form that is refused is
 * shown again with what was typed: a redirect would put that into an address. What was typed before a code was needed goes through the
 * forms of the code in hidden fields, and is stored nowhere.
 */

/** In letters that take nine characters each. */
const MAX_FORM_CHARACTERS = 32_768;
/** Fields that nobody types. */
const NOT_TYPED = ['act', 'key', 'otp', 'proposal', 'answer'];

/** One form of each page is read at a time. */
const uploads = new Turnstile(1);

type Shown = {
  readonly act: OrderAct | null;
  readonly notice: OrderNotice | null;
  /** Whether the form itself is refused, for the reason in `notice`. */
  readonly isRefused?: boolean;
};

type Sent = {
  readonly texts: URLSearchParams;
  readonly form: UploadedForm | null;
  /** Why the files were not taken. */
  readonly refusal?: Refusal;
};

type Handling = {
  /** Makes the page with what was typed; null where the page does not offer the act any more. */
  readonly again: (asked: Pick<Asked, 'act' | 'notice' | 'typed'>) => Promise<Html | null>;
  /** Of the form that carries out an act: whose files are read. Null: they are not. */
  readonly takesFiles?: () => Promise<CompanyId | null>;
};

/** Runs a form and answers it. Where the outcome of an act is not known, the page alone can tell, so nothing is shown again. */
export async function answer(
  c: Context<ApiEnv>,
  { again, takesFiles }: Handling,
  run: (act: OrderAct, form: URLSearchParams, sent: UploadedForm | null) => Promise<Shown>,
): Promise<Response> {
  secure(c);
  const token = c.req.param('token') ?? '';
  if (takesFiles === undefined || !isMultipart(c))
    return answerTo({ texts: new URLSearchParams(String(await readBody(c, 'json'))), form: null });
  return uploads.pass(token, Date.now() + WAIT_LIMITS.turnMs, async () => {
    const companyId = await takesFiles();
    if (companyId === null) return answerTo(await formWithoutFiles(c));
    let hasTurn = false;
    return inUploadTurn(c, 'orders', companyId, async () => {
      hasTurn = true;
      return answerTo(await formWithFiles(c));
    }).catch(async (error: unknown) => {
      if (hasTurn || !(error instanceof Refusal)) throw error;
      return answerTo(await formNotTaken(c, error));
    });
  });

  async function answerTo({ texts, form, refusal }: Sent): Promise<Response> {
    if (texts.toString().length > MAX_FORM_CHARACTERS) throw new Refusal('validation_failed', 'the text is too long');
    const act = actOf(texts.get('act') ?? undefined);
    if (act === null) throw refusal ?? new Refusal('validation_failed', 'act');
    const typed = typedIn(texts);
    try {
      if (refusal !== undefined) throw refusal;
      const shown = await run(act, texts, form);
      if (shown.act === null) return redirect(shown);
      return shownAgain(shown, typed, shown.isRefused === true ? statusOf('validation_failed') : 200);
    } catch (error) {
      if (!(error instanceof Refusal && isNotice(error.code))) throw error;
      sayWhenToRetry(c, error);
      return shownAgain({ act, notice: error.code }, typed, statusOf(error.code));
    }
  }

  async function shownAgain(
    shown: Shown,
    typed: URLSearchParams,
    status: ReturnType<typeof statusOf> | 200,
  ): Promise<Response> {
    const isUnknown = takesFiles !== undefined && status >= 500;
    const page = typed.size === 0 || isUnknown ? null : await again({ ...shown, typed });
    if (page === null) return redirect(shown);
    c.status(status);
    return show(c, page);
  }

  function redirect({ act, notice }: Shown): Response {
    const query = new URLSearchParams({ ...(act === null ? {} : { act }), ...(notice === null ? {} : { notice }) });
    return c.redirect(`../${token}?${query}`, 303);
  }
}

async function formWithFiles(c: Context<ApiEnv>): Promise<Sent> {
  try {
    const form = await readUploadedForm(c, 'orderFiles');
    return { form, texts: textsIn(form) };
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'payload_too_large')) throw error;
    return formNotTaken(c, error);
  }
}

async function formNotTaken(c: Context<ApiEnv>, refusal: Refusal): Promise<Sent> {
  return { form: null, texts: await readTextsBeforeFiles(c), refusal };
}

/** Of somebody whose files are not taken. They are read and dropped, because a browser shows no answer before it has sent its form. */
async function formWithoutFiles(c: Context<ApiEnv>): Promise<Sent> {
  c.header('Connection', 'close'); // a rest beyond the limit is never read
  return { form: null, texts: await readTextsBeforeFiles(c, BODY_LIMITS.orderFiles.maxBytes) };
}

function typedIn(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...form].filter(([name, value]) => !NOT_TYPED.includes(name) && value !== ''));
}

/** The fields of a form besides its files. */
function textsIn(form: UploadedForm): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') fields.append(name, value);
  return fields;
}

export function actOf(word: string | undefined): OrderAct | null {
  return ORDER_ACT_NAMES.find((act) => act === word) ?? null;
}

export function isNotice(word: string | undefined): word is OrderNotice {
  return word !== undefined && Object.hasOwn(ORDER_ENGLISH.notices, word);
}
