import type { ConsolePage } from '../../page.ts';
import { escrowPage } from './escrow.ts';
import { LIFECYCLE_PAGES } from './lifecycle.ts';
import { escrowsExport, escrowsPage } from './list.ts';
import { PROPOSAL_PAGES } from './proposals.ts';
import { runPage } from './run.ts';

export const ESCROW_PAGES: readonly ConsolePage[] = [
  escrowsPage,
  escrowsExport,
  escrowPage,
  runPage,
  ...LIFECYCLE_PAGES,
  ...PROPOSAL_PAGES,
];
