import type { ConsolePage } from '../../page.ts';
import { administrators } from './administrators.ts';
import { audit } from './audit.ts';
import { keys } from './keys.ts';
import { settings } from './settings.ts';

/** The company: its keys, administrators, settings, fees and audit log. */
export const companyPages: readonly ConsolePage[] = [...keys, ...administrators, settings, ...audit];
