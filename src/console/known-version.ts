import { type ApiClient, ApiProblem } from './api-client.ts';
import { hidden } from './components/form.ts';
import type { Html } from './components/html.ts';
import type { Form, Visit } from './page.ts';

/** Forms that act only on what their page showed. */

/** The hidden field with the version of the resource that the page describes. */
export function knownVersion({ version }: { readonly version: number }): Html {
  return hidden('version', String(version));
}

/** Moves nothing but what the form's page said: the API refuses a command if the resource has changed since. */
export function onlyIfKnown(api: ApiClient, posted: Form): ApiClient {
  const version = knownIn(posted);
  if (version === null) throw changedSince();
  return api.onlyIf(String(version));
}

/** For a step that only shows what would move: refuses the form as the API refuses the command. */
export function expectKnown({ version }: { readonly version: number }, posted: Form): void {
  if (knownIn(posted) !== version) throw changedSince();
}

/** Null for a form of an older console, and for one that somebody altered. */
function knownIn(posted: Form): number | null {
  const text = posted.text('version');
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

const changedSince = () =>
  new ApiProblem({ status: 412, code: 'precondition_failed', detail: 'the form names another version' });

/**
 * What happened after the version that a refused form names: the end of `story`, which has one entry for each version. Empty if
 * the form was not refused for that.
 */
export function sinceKnown<Entry>({ refused }: Visit, story: readonly Entry[]): readonly Entry[] {
  if (refused?.problem.code !== 'precondition_failed') return [];
  const known = knownIn(refused.form);
  return known === null ? [] : story.slice(known);
}
