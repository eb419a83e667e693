import { type Html, html } from '../../components/html.ts';
import { dataTable } from '../../components/table.ts';
import type { ConsoleSettings, Visit } from '../../page.ts';

/** The symptoms of docs/operations.md, and where to look. */

/** A search in the Temporal UI; null if its address is unknown. */
export function temporalLink({ temporalUiUrl, temporalNamespace }: ConsoleSettings, query: string): string | null {
  if (temporalUiUrl === null) return null;
  const namespace = encodeURIComponent(temporalNamespace);
  return `${temporalUiUrl}/namespaces/${namespace}/workflows?${new URLSearchParams({ query })}`;
}

type Symptom = { readonly seen: string; readonly links: readonly (readonly [label: string, href: string])[] };

export function symptoms({ settings }: Visit): Html {
  const temporal = (label: string, query: string) => {
    const href = temporalLink(settings, query);
    return href === null ? [] : [[label, href] as const];
  };
  const all: readonly Symptom[] = [
    {
      seen: 'The API answers 503, or the database or Temporal is down',
      links: [
        ['Readiness', '/health/ready'],
        ['Serving', '/health/serving'],
      ],
    },
    {
      seen: 'A workflow task fails, a run is missing, behind or stuck',
      links: temporal('Sweeps', 'WorkflowType = "rebuildWorkflow"'),
    },
    {
      seen: 'A step waits for a privilege (database_denies)',
      links: temporal('Runs', 'EscrowAttention = "database_denies"'),
    },
    { seen: 'A release is blocked', links: temporal('Runs', 'EscrowAttention = "release_blocked"') },
    { seen: 'A signal was refused', links: temporal('Runs', 'EscrowAttention = "signal_refused"') },
    {
      seen: 'The books do not agree',
      links: [...temporal('Audits', 'WorkflowType = "auditWorkflow"'), ['Audit log', '/console/audit']],
    },
    {
      seen: 'An escrow, a link or a payout has no run',
      links: [['Open escrows', '/console/escrows'], ...temporal('Sweeps', 'WorkflowType = "rebuildWorkflow"')],
    },
    {
      seen: 'A company gets no webhooks, they come late, or its endpoint is refused',
      links: [['Webhooks', '/console/webhooks'], ...temporal('Deliveries', 'WorkflowType = "webhookWorkflow"')],
    },
    { seen: 'New events do not appear, or one is missing', links: [['Events', '/console/events']] },
    { seen: 'Disputes wait', links: [['Disputes', '/console/disputes']] },
    {
      seen: 'Withdrawals are stuck, or the bank rejected one',
      links: [
        ['At the bank', '/console/withdrawals?status=PROCESSING'],
        ['Failed', '/console/withdrawals?status=FAILED'],
      ],
    },
    { seen: 'Payments are stuck', links: [['Links with a payment at work', '/console/links?status=PROCESSING']] },
    { seen: 'Money whose owner is unknown', links: [['Receipts in suspense', '/console/receipts?matchedTo=SUSPENSE']] },
    { seen: 'Somebody guesses passwords or codes', links: [['Audit log', '/console/audit']] },
  ];
  return dataTable({
    caption: 'Symptoms, and where to look',
    rows: all,
    columns: [
      { title: 'What you see', cell: ({ seen }) => seen },
      {
        title: 'Look at',
        cell: ({ links }) =>
          links.length === 0
            ? 'Temporal’s UI'
            : html`${links.map(([label, href]) => html`<a class="button small" href="${href}">${label}</a> `)}`,
      },
    ],
  });
}
