import { isFinal } from '../../../domain/escrow/transitions.ts';
import { ApiProblem } from '../../api-client.ts';
import type { EscrowView, ProgressView } from '../../api-types.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { definitionList, notice } from '../../components/parts.ts';
import { spanText, time } from '../../components/time.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { sentenceOf } from '../../problems.ts';
import { requireId } from './action-page.ts';

/**
 * What the running workflow says about itself, beside what the row says. A script fetches it after the page, because the answer
 * takes as long as the workflow takes.
 */

export const runPage: ConsolePage = {
  path: '/escrows/:id/run',
  title: 'The running workflow',
  who: 'read',
  isBackground: true,
  async show(visit) {
    const path = { id: requireId(visit) };
    const isFragment = visit.c.req.header('hx-request') !== undefined;
    const escrow = await visit.api.get('/v1/escrow/{id}', { path });
    const back = isFragment ? NOTHING : html`<p><a href="/console/escrows/${escrow.id}">Back to the escrow</a></p>`;
    return { isFragment, main: html`<div id="run">${await runOf(visit, escrow)}${back}</div>` };
  },
};

async function runOf({ api, settings, session, now }: Visit, escrow: EscrowView): Promise<Html> {
  try {
    const progress = await api.get('/v1/escrow/{id}/progress', { path: { id: escrow.id } });
    const link = session.role === 'SUPER_ADMIN' ? temporalLink(progress, settings) : NOTHING;
    return html`${progress.running ? running(progress, now) : notRunning(progress, escrow)}${link}`;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'dependency_unavailable') throw error;
    return html`${notice({ tone: 'warn', text: `The workflow was asked and did not answer. ${sentenceOf(error)} The rest of this page comes from the database and is right.` })}`;
  }
}

function running({ waitingFor, nextDeadline, runId, historyLength }: ProgressView, now: Date): Html {
  const until =
    nextDeadline === null
      ? 'None'
      : html`${time(nextDeadline)} (in ${spanText(Date.parse(nextDeadline) - now.getTime())})`;
  return definitionList([
    ['Workflow', 'It is running.'],
    ['Waits for', waitingFor.map((command) => command.replaceAll('-', ' ')).join(', ')],
    ['Next deadline', until],
    ['Run', html`<code>${runId}</code>, ${historyLength} events`],
  ]);
}

/** A final escrow needs no run. Any other one without a run is stuck until the keeper of runs starts it again. */
function notRunning({ runId }: ProgressView, { status }: EscrowView): Html {
  if (isFinal(status)) return html`<p class="soft">The workflow has ended, as the escrow has.</p>`;
  return notice({
    tone: 'bad',
    text: `The escrow is open and has no running workflow${runId === null ? '' : `; the last run was ${runId}`}. The data on this page is right, but deadlines do not fire. The service starts missing runs within minutes.`,
  });
}

function temporalLink(
  { workflowId, runId }: ProgressView,
  { temporalUiUrl, temporalNamespace }: Visit['settings'],
): Html {
  if (temporalUiUrl === null) return NOTHING;
  const run = runId === null ? '' : `/${encodeURIComponent(runId)}`;
  const address = `${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows/${encodeURIComponent(workflowId)}${run}`;
  return html`<p><a href="${address}" rel="noopener noreferrer" target="_blank">Open in the Temporal UI</a></p>`;
}
