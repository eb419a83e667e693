import type { ConsolePage } from '../../page.ts';
import { companies } from './companies.ts';
import { state } from './state.ts';

/** The platform's own pages: the state of the service, and all companies. */
export const platformPages: readonly ConsolePage[] = [state, ...companies];
