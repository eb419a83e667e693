import { html } from '../components/html.ts';
import { card, notice } from '../components/parts.ts';
import { type Message, t } from '../language/message.ts';

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
