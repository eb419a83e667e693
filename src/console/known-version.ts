import type { ApiClient } from './api-client.ts';
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
  return api.onlyIf(posted.text('version'));
}

/**
 * What happened after the version that a refused form names: the end of `story`, which has one entry for each version. Empty if
 * the form was not refused for that.
 */
export function sinceKnown<Entry>({ attempt }: Visit, story: readonly Entry[]): readonly Entry[] {
  return attempt?.problem.code === 'precondition_failed' ? story.slice(Number(attempt.form.text('version'))) : [];
}
