import { ESCROW_COMMANDS, type EscrowCommandType } from '../../../domain/escrow/commands.ts';
import { isFinal } from '../../../domain/escrow/escrow.ts';
import { ApiProblem } from '../../api-client.ts';
import type { EscrowView, ProgressView } from '../../api-types.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { definitionList, notice } from '../../components/parts.ts';
import { spanText, time } from '../../components/time.ts';
import { joined, type Message, type Text, t } from '../../language/message.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { sentenceOf } from '../../problems.ts';
import { requireId } from './action-page.ts';

/**
 * What the running workflow says about itself, beside what the row says. A script fetches it after the page, because the answer
 * takes as long as the workflow takes.
 */

export const runPage: ConsolePage = {
  path: '/escrows/:id/run',
  title: t('The running workflow'),
  who: 'read',
  isBackground: true,
  async show(visit) {
    const path = { id: requireId(visit) };
    const isFragment = visit.c.req.header('hx-request') !== undefined;
    const escrow = await visit.api.get('/v1/escrow/{id}', { path });
    const back = isFragment
      ? NOTHING
      : html`<p><a href="/console/escrows/${escrow.id}">${t('Back to the escrow')}</a></p>`;
    return { isFragment, main: html`<div id="run">${await runOf(visit, escrow)}${back}</div>` };
  },
};

async function runOf({ api, settings, session, companyNow: now }: Visit, escrow: EscrowView): Promise<Html> {
  try {
    const progress = await api.get('/v1/escrow/{id}/progress', { path: { id: escrow.id } });
    const link = session.role === 'SUPER_ADMIN' ? temporalLink(progress, settings) : NOTHING;
    return html`${progress.running ? running(progress, now) : notRunning(progress, escrow)}${link}`;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'dependency_unavailable') throw error;
    return html`${notice({ tone: 'warn', text: t('The workflow was asked and did not answer. {reason} The rest of this page comes from the database and is right.', { reason: sentenceOf(error) }) })}`;
  }
}

/** `delivery-note` → `delivery note`, for the compiler, which asks for a translation of each. */
type Words<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${First} ${Words<Rest>}` : Name;

const isCommand = (name: string): name is EscrowCommandType => Object.hasOwn(ESCROW_COMMANDS, name);
/** Commands whose names say little to people. */
const PLAIN: { readonly [name: string]: Message } = {
  'extend-auto-release': t('the buyer postponing the release'),
  'auto-release': t('the automatic release'),
  'block-release': t('a stop of the release'),
  'lapse-negotiation': t('the end of a proposal without an answer'),
  'note-chargeback': t('news of a chargeback'),
  'admin-resolve': t('the decision'),
};
const commandWords = (name: string): Text => {
  const plain = PLAIN[name];
  if (plain !== undefined) return plain;
  const words = name.replaceAll('-', ' ');
  return isCommand(name) ? t(words as Words<EscrowCommandType>) : words; // the name of a command, with spaces
};

function running({ waitingFor, nextDeadline, runId, historyLength }: ProgressView, now: Date): Html {
  const until =
    nextDeadline === null
      ? t('None')
      : rich('{time} (in {span})', {
          time: time(nextDeadline),
          span: spanText(Date.parse(nextDeadline) - now.getTime()),
        });
  return definitionList([
    [t('Workflow'), t('It is running.')],
    [t('Waits for'), joined(waitingFor.map(commandWords))],
    [t('Next deadline'), until],
    [
      t('Run'),
      rich('{run}, {count, plural, one {# event} other {# events}}', {
        run: html`<code>${runId}</code>`,
        count: historyLength,
      }),
    ],
  ]);
}

/** A final escrow needs no run. Any other one without a run is stuck until the keeper of runs starts it again. */
function notRunning({ runId }: ProgressView, { status }: EscrowView): Html {
  if (isFinal(status)) return html`<p class="soft">${t('The workflow has ended, as the escrow has.')}</p>`;
  return notice({
    tone: 'bad',
    text:
      runId === null
        ? t(
            'The escrow is open and has no running workflow. The data on this page is right, but deadlines do not fire. The service starts missing runs within minutes.',
          )
        : t(
            'The escrow is open and has no running workflow; the last run was {runId}. The data on this page is right, but deadlines do not fire. The service starts missing runs within minutes.',
            { runId },
          ),
  });
}

function temporalLink(
  { workflowId, runId }: ProgressView,
  { temporalUiUrl, temporalNamespace }: Visit['settings'],
): Html {
  if (temporalUiUrl === null) return NOTHING;
  const run = runId === null ? '' : `/${encodeURIComponent(runId)}`;
  const address = `${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows/${encodeURIComponent(workflowId)}${run}`;
  return html`<p><a href="${address}" rel="noopener noreferrer" target="_blank">${t('Open in the Temporal UI')}</a></p>`;
}
