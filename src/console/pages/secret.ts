import { ApiProblem } from '../api-client.ts';
import { html } from '../components/html.ts';
import { card, notice } from '../components/parts.ts';
import { type Message, t } from '../language/message.ts';
import type { OwnProblem } from '../problems.ts';

/**
 * Runs a request that makes a secret. A form that was sent before made it then, and the answer to that showed it: the problem
 * `code` says so.
 */
export async function secretFrom<T>(request: Promise<T>, code: OwnProblem = 'secret_shown_before'): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'already_exists' || error.duplicateOf === null) throw error;
    throw new ApiProblem({ status: error.status, code, detail: error.message });
  }
}

/** A secret is shown once, in the answer to the form; it is kept nowhere. */
export function secretShown(title: Message, secret: string, next: string) {
  return {
    title,
    isShownOnce: true,
    main: card({
      title: t('Shown once'),
      body: html`${notice({ tone: 'warn', text: t('Copy it now: it is not shown again, and nobody can look it up.') })}<code class="secret" data-copy="${t('the secret')}">${secret}</code><p><a class="button primary" href="${next}">${t('I have copied it')}</a></p>`,
    }),
  };
}
