import type { ConsolePage } from '../page.ts';
import { overviewPage } from './overview.ts';
import { passwordPage } from './password.ts';

/**
 * Every page of the console, in the order of the menu. Routes, the menu and the access tests are made from this table. A path
 * without parameters stands before the paths that would match it.
 */
export const PAGES: readonly ConsolePage[] = [overviewPage, passwordPage];
