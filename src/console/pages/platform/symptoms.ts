import { type Html, html } from '../../components/html.ts';
import { dataTable } from '../../components/table.ts';
import { type Message, t } from '../../language/message.ts';
import type { ConsoleSettings, Visit } from '../../page.ts';

/** The symptoms of docs/operations/symptoms.md, and where to look. */

/** A search in the Temporal UI; null if its address is unknown. */
export function temporalLink({ temporalUiUrl, temporalNamespace }: ConsoleSettings, query: string): string | null {
  if (temporalUiUrl === null) return null;
  const namespace = encodeURIComponent(temporalNamespace);
  return `${temporalUiUrl}/namespaces/${namespace}/workflows?${new URLSearchParams({ query })}`;
}

/** For that search. Runs that continued as new keep what the next run may have settled. */
export const attention = (reason: string): string => `EscrowAttention ${reason} AND ExecutionStatus = "Running"`;

type Symptom = { readonly seen: Message; readonly links: readonly (readonly [label: Message, href: string])[] };

export function symptoms({ settings }: Visit): Html {
  const temporal = (label: Message, query: string) => {
    const href = temporalLink(settings, query);
    return href === null ? [] : [[label, href] as const];
  };
  const all: readonly Symptom[] = [
    {
      seen: t('The API answers 503, or the database or Temporal is down'),
      links: [
        [t('Readiness'), '/health/ready'],
        [t('Serving'), '/health/serving'],
      ],
    },
    {
      seen: t('A workflow task fails, a run is missing, behind or stuck'),
      links: temporal(t('Sweeps'), 'WorkflowType = "rebuildWorkflow"'),
    },
    {
      seen: t('A step waits for a privilege (database_denies)'),
      links: temporal(t('Runs'), attention('= "database_denies"')),
    },
    { seen: t('A release is blocked'), links: temporal(t('Runs'), attention('= "release_blocked"')) },
    { seen: t('A signal was refused'), links: temporal(t('Runs'), attention('= "signal_refused"')) },
    {
      seen: t('The books do not agree'),
      links: [...temporal(t('Audits'), 'WorkflowType = "auditWorkflow"'), [t('Audit log'), '/console/audit']],
    },
    {
      seen: t('An escrow, a link or a payout has no run'),
      links: [[t('Open escrows'), '/console/escrows'], ...temporal(t('Sweeps'), 'WorkflowType = "rebuildWorkflow"')],
    },
    {
      seen: t('A company gets no webhooks, they come late, or its endpoint is refused'),
      links: [[t('Webhooks'), '/console/webhooks'], ...temporal(t('Deliveries'), 'WorkflowType = "webhookWorkflow"')],
    },
    { seen: t('New events do not appear, or one is missing'), links: [[t('Events'), '/console/events']] },
    { seen: t('Disputes wait'), links: [[t('Disputes'), '/console/work?kind=DISPUTE']] },
    {
      seen: t('Withdrawals are stuck, or the bank rejected one'),
      links: [
        [t('Payouts to decide'), '/console/work?kind=PAYOUT'],
        [t('At the bank'), '/console/withdrawals?status=PROCESSING'],
        [t('Failed'), '/console/withdrawals?status=FAILED'],
      ],
    },
    {
      seen: t('Payments are stuck'),
      links: [[t('Links with a payment in progress'), '/console/links?status=PROCESSING']],
    },
    {
      seen: t('Money whose owner is unknown'),
      links: [[t('Receipts in suspense'), '/console/work?kind=SUSPENSE']],
    },
    { seen: t('Someone is guessing passwords or codes'), links: [[t('Audit log'), '/console/audit']] },
  ];
  return dataTable({
    caption: t('Symptoms, and where to look'),
    rows: all,
    columns: [
      { title: t('What you see'), cell: ({ seen }) => seen },
      {
        title: t('Look at'),
        cell: ({ links }) =>
          links.length === 0
            ? t('Temporal’s UI')
            : html`${links.map(([label, href]) => html`<a class="button small" href="${href}">${label}</a> `)}`,
      },
    ],
  });
}
