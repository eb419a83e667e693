import type { ConsolePage } from '../../page.ts';
import { disputePage, splitPreviewPage } from './dispute.ts';
import { disputesExport, disputesPage } from './queue.ts';
import { assignmentPage, disputeNotesPage } from './staff.ts';

export const DISPUTE_PAGES: readonly ConsolePage[] = [
  disputesPage,
  disputesExport,
  disputePage,
  splitPreviewPage,
  assignmentPage,
  disputeNotesPage,
];
