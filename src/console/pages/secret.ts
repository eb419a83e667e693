import { html } from '../components/html.ts';
import { card, notice } from '../components/parts.ts';

/** A secret is shown once, in the answer to the form; it is kept nowhere. */
export function secretShown(title: string, secret: string, next: string) {
  return {
    title,
    main: card({
      title: 'Shown once',
      body: html`${notice({ tone: 'warn', text: 'Copy it now: it is not shown again, and nobody can look it up.' })}<code class="secret" data-copy="the secret">${secret}</code><p><a class="button primary" href="${next}">I have copied it</a></p>`,
    }),
  };
}
