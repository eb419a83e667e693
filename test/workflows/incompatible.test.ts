import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { historyNames, readHistory, workflowIdOf } from '../support/histories.ts';
import { servers } from '../support/servers.ts';

/**
 * Whether the recorded histories detect a workflow change that open runs in production could not replay. Each mutation
 * is made in the compiled workflows, which have one statement per line.
 */
type Mutation = {
  readonly find: string | RegExp;
  readonly replaceBy: string;
  /** A history that detects it. */
  readonly noticedBy: string;
};

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a provider is asked twice': {
    find: 'providers.checkAttempt(companyId, attemptId, commandId)',
    replaceBy:
      'providers.checkAttempt(companyId, attemptId, commandId).then(() => providers.checkAttempt(companyId, attemptId, commandId))',
    noticedBy: 'mobile-money-asked-twice.payment-link.json',
  },
  'a provider is asked by a local activity instead of a remote one': {
    find: 'providers.checkAttempt(companyId, attemptId, commandId)',
    replaceBy: 'activities.checkAttempt(companyId, attemptId, commandId)',
    noticedBy: 'card-paid.payment-link.json',
  },
  'the bank is asked twice': {
    find: 'bank.checkPayout(companyId, withdrawalId, command.mayResend, command.commandId)',
    replaceBy:
      'bank.checkPayout(companyId, withdrawalId, command.mayResend, command.commandId).then(() => bank.checkPayout(companyId, withdrawalId, false))',
    noticedBy: 'withdrawal-paid.withdrawal.json',
  },
  'the row is read twice after a refresh': {
    find: 'isStale = false;',
    replaceBy: 'isStale = false; await entity.load();',
    noticedBy: 'told-again-and-again.escrow.json',
  },
  'the row is not read after a repeated command': {
    find: 'return await reload();',
    replaceBy: 'return from;',
    noticedBy: 'told-again-and-again.escrow.json',
  },
  'the row is not read again before a refusal': {
    find: 'const current = await reload();',
    replaceBy: 'const current = from;',
    noticedBy: 'behind-its-last-step.escrow.json',
  },
  'a refusal is not written down': {
    find: 'await answerRefusal(letter, decision);',
    replaceBy: '',
    noticedBy: 'by-signals.escrow.json',
  },
  'a command is not decided again after another writer': {
    find: "await recordLine('another writer was first; the command is decided again');",
    replaceBy: 'return restore(written.snapshot);',
    noticedBy: 'behind-another-writer.escrow.json',
  },
  'a refusal has no marker': {
    find: /await recordLine\(`refused \$\{command\.type\}: \$\{settled\.code\}[^;]*;/,
    replaceBy: '',
    noticedBy: 'automatic-release-blocked.escrow.json',
  },
  'the other run is not woken': {
    find: 'for (const workflowId of written.wake)',
    replaceBy: 'for (const workflowId of [])',
    noticedBy: 'link-paid.payment-link.json',
  },
  'the search attributes are not kept': {
    find: /if \(changed\.length > 0\) /,
    replaceBy: 'if (false) ',
    noticedBy: 'released.escrow.json',
  },
  'a deadline has no timer': {
    find: /if \(alarm\.isSetTo\(deadline\.at\)\) return;/,
    replaceBy: 'return;',
    noticedBy: 'automatic-release.escrow.json',
  },
  'a timer is set again although the deadline is the same': {
    find: /if \(alarm\.isSetTo\(deadline\.at\)\) return;/,
    replaceBy: '',
    noticedBy: 'automatic-release-stopped-by-a-dispute.escrow.json',
  },
  'a blocked release is not noted': {
    find: "type === 'auto-release' && code !== 'wrong_state'",
    replaceBy: 'false',
    noticedBy: 'automatic-release-blocked.escrow.json',
  },
  'a run continues as new at another length': {
    find: 'MAX_HISTORY_EVENTS = 250',
    replaceBy: 'MAX_HISTORY_EVENTS = 40',
    noticedBy: 'continued-as-new.escrow.json',
  },
  'an idle run continues as new at another length': {
    find: 'MAX_IDLE_HISTORY_EVENTS = 64',
    replaceBy: 'MAX_IDLE_HISTORY_EVENTS = 250',
    noticedBy: 'idle-with-a-long-history.escrow.json',
  },
  'a run that is not idle continues as new': {
    find: /_wasBusy,\s*true/,
    replaceBy: '_wasBusy, !_class_private_field_get(this, _isSet)',
    noticedBy: 'idle-with-a-long-history.escrow.json',
  },
  'a request to cancel a run is obeyed': {
    find: /CancellationScope\.nonCancellable\(\(\)\s*=>\s*serveUntilOver/,
    replaceBy: 'CancellationScope.cancellable(()=>serveUntilOver',
    noticedBy: 'cancellation-refused.escrow.json',
  },
  'the events of an endpoint are asked for twice': {
    find: /const round = await deliverEvents\(webhookId\);/,
    replaceBy: 'await deliverEvents(webhookId); const round = await deliverEvents(webhookId);',
    noticedBy: 'webhook-retried.webhook.json',
  },
  'the retry of an event has no timer': {
    find: /await (.*condition.*)\(\(\)\s*=>\s*hasNews,[^;]*;/,
    replaceBy: 'hasNews = true;',
    noticedBy: 'webhook-retried.webhook.json',
  },
  'the escrow of a new link is not started': {
    find: /if \(event\.type === 'CREATED' \|\| notRunning\.includes/,
    replaceBy: 'if (notRunning.includes',
    noticedBy: 'link-expired.payment-link.json',
  },
};

describe('a workflow change that is incompatible with open runs', () => {
  let code: string;
  beforeAll(() => {
    const silent = new DefaultLogger('ERROR', () => undefined);
    Runtime.install({ logger: silent, telemetryOptions: { logging: { forward: {} } } });
    code = readFileSync(servers().workflowBundleFile, 'utf8');
  });

  test.each(Object.entries(MUTATIONS))('is detected by a recorded history: %s', async (_change, mutation) => {
    const { find, replaceBy, noticedBy } = mutation;
    const mutated = code.replace(find, () => replaceBy);
    expect(mutated === code).toBe(false); // the whole bundle would be printed
    expect(historyNames()).toContain(noticedBy);
    await expect(
      Worker.runReplayHistory({ workflowBundle: { code: mutated } }, readHistory(noticedBy), workflowIdOf(noticedBy)),
    ).rejects.toMatchObject({ name: expect.stringMatching(/DeterminismViolationError|ReplayError/) });
  });
});
