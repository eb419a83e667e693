import type { Context } from 'hono';
import { Refusal, type RefusalCode, retryAfterSecondsOf } from '../../domain/errors.ts';
import { isClientGone, readBody } from '../bodies/body-limits.ts';
import type { ApiEnv } from '../context.ts';
import { answerToNobody, refusalOf, statusOf } from '../problem.ts';
import type { Frame, Html, Site } from './layout.ts';
import { isNotice, type Method, type Notice } from './notices.ts';
import { errorPage } from './pages.ts';
import { secure } from './security.ts';
import type { Texts } from './texts/english.ts';
import type { CheckoutView } from './view.ts';

/** How the checkout sends pages, redirects and failures. */

const MAX_FORM_CHARACTERS = 4_096;
/** A page that reports an outage reloads by itself. */
const RECOVERY_REFRESH_SECONDS = 15;

/** `scriptUrl`, `framedBy`: see `secure`. */
export function show(
  c: Context<ApiEnv>,
  page: Html,
  scriptUrl?: string,
  framedBy: readonly string[] = [],
): Response | Promise<Response> {
  secure(c, scriptUrl, framedBy);
  return c.html(page);
}

/** Thrown if a form field is invalid. */
export class Mistyped extends Error {
  readonly notice: Notice;
  readonly typed: string;

  constructor(notice: Notice, typed: string) {
    super(notice);
    this.notice = notice;
    this.typed = typed;
  }
}

/** Outcomes that follow from the link's state alone. The link's page states them already. */
const SHOWN_BY_THE_PAGE: readonly RefusalCode[] = ['wrong_state', 'link_expired'];

type Form = {
  readonly hash: string;
  readonly method: Method | null;
  /** Answers with the page, and keeps the typed value in its field. A redirect would put that value into a URL. */
  readonly again?: (mistyped: Mistyped) => Promise<Response>;
};

/**
 * Runs the action of a form and redirects: to the target that `action` returns, or back to the link's page with an error code.
 * All redirects are relative, so that a proxy can serve the checkout under any address.
 */
export async function act(
  c: Context<ApiEnv>,
  { hash, method, again }: Form,
  action: (form: URLSearchParams) => Promise<string>,
): Promise<Response> {
  secure(c);
  try {
    const body = String(await readBody(c));
    if (body.length > MAX_FORM_CHARACTERS) throw new Refusal('payload_too_large');
    return c.redirect(await action(new URLSearchParams(body)), 303);
  } catch (error) {
    if (error instanceof Mistyped && again !== undefined) return again(error);
    const notice = noticeOf(error);
    if (notice === undefined) throw error;
    const query = new URLSearchParams({
      ...(method === null ? {} : { pay: method }),
      ...(notice === null ? {} : { notice }),
    });
    return c.redirect(`../${hash}${notice === null ? '' : `?${query}`}`, 303);
  }
}

/**
 * The error code for the page's address; null if the page states the outcome anyway; undefined if nothing of the link may be
 * shown.
 */
function noticeOf(error: unknown): Notice | null | undefined {
  if (error instanceof Mistyped) return error.notice;
  if (!(error instanceof Refusal)) return undefined;
  if (SHOWN_BY_THE_PAGE.includes(error.code)) return null;
  return isNotice(error.code) ? error.code : undefined;
}

export function sayWhenToRetry(c: Context<ApiEnv>, refusal: Refusal): void {
  const seconds = retryAfterSecondsOf(refusal);
  if (seconds !== undefined) c.header('Retry-After', String(seconds));
}

type ErrorKind = keyof Texts['errors'];
const KIND_OF_STATUS: Readonly<Record<number, ErrorKind>> = { 404: 'not_found', 429: 'busy', 503: 'unavailable' };

type ErrorLooks = {
  readonly assets?: '' | '../checkout/';
  /** In place of the checkout's. */
  readonly texts?: Partial<Texts['errors']>;
};

/** Renders any error as a page that reveals nothing about the link. */
export function failed(
  error: Error,
  c: Context<ApiEnv>,
  site: Site,
  { assets = '', texts = {} }: ErrorLooks = {},
): Response | Promise<Response> {
  const refusal = refusalOf(error);
  if (refusal === null && isClientGone(c)) return answerToNobody(error, c);
  if (refusal === null) c.var.log.error({ err: error }, 'request failed');
  else if (refusal !== error) c.var.log.warn({ err: error }, 'dependency failed');
  const status = refusal === null ? 500 : statusOf(refusal.code);
  const kind: ErrorKind = KIND_OF_STATUS[status] ?? (status >= 500 ? 'failed' : 'invalid');
  secure(c);
  if (refusal !== null) sayWhenToRetry(c, refusal);
  if (kind === 'unavailable' && c.req.method === 'GET') c.header('Refresh', String(RECOVERY_REFRESH_SECONDS));
  return c.html(
    errorPage(
      site,
      texts[kind] ?? site.language.texts.errors[kind],
      rootFrom(new URL(c.req.url).pathname.split('/').length - 2, assets),
    ),
    status,
  );
}

/** The relative path to the checkout's files. `depth`: of the page below `/checkout` or `/orders`; 0 without a slash at the end. */
function rootFrom(depth: number, assets: '' | '../checkout/'): Frame['root'] {
  if (depth === 0) return 'checkout/';
  return `${depth > 1 ? '../' : ''}${assets}`;
}

/** Reloads are frequent at first and rarer later: [waits shorter than this many seconds, reload every so many seconds]. */
const REFRESH_SECONDS = [
  [60, 5],
  [600, 15],
  [Number.POSITIVE_INFINITY, 60],
] as const;

/** How soon the page of a pending payment should be reloaded, in seconds. */
export function refreshSeconds({ atWork }: CheckoutView, now: Date): number {
  const waitedSeconds = (now.getTime() - (atWork?.sinceMs ?? now.getTime())) / 1_000;
  return REFRESH_SECONDS.find(([until]) => waitedSeconds < until)?.[1] ?? 60;
}
