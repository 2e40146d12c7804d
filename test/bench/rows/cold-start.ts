import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import { issueLocalToken } from '../../../infra/program/commands/local-token';
import { readConfig } from '../../../infra/program/settings/config';
import { run, stop } from '../child';
import { figure, paired } from '../figure';
import { interleave } from '../interleave';
import { freePort, withoutNetworks } from '../ports';
import type { Row } from '../row';

const CLI = join(__dirname, '..', '..', '..', 'infra', 'cli', 'main.js');
const POLL_MS = 2;
const MAX_WAIT_MS = 60_000;

interface Probe {
  readonly path: string;
  readonly options: { readonly method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string };
  readonly isAnswer: (json: unknown) => boolean;
}

const answer = async (url: string, options: Probe['options']): Promise<Dispatcher.ResponseData | null> =>
  request(url, { ...options, reset: true }).catch(() => null);

/** Milliseconds from the start of a program to its first correct answer. */
async function untilAnswered(
  args: readonly string[],
  port: number,
  env: NodeJS.ProcessEnv,
  probe: Probe,
): Promise<number> {
  const began = performance.now();
  const program = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const elapsed = (): number => performance.now() - began;
  try {
    for (;;) {
      const found = await answer(`http://127.0.0.1:${port}${probe.path}`, probe.options);
      const json: unknown = found && (await found.body.json());
      if (found?.statusCode === 200 && probe.isAnswer(json)) return elapsed();
      if (program.exitCode !== null || elapsed() > MAX_WAIT_MS)
        throw new Error(`${args.join(' ')} does not answer: ${found?.statusCode ?? 'no connection'}`);
      await sleep(POLL_MS);
    }
  } finally {
    await stop(program);
  }
}

/**
 * From spawning `tidemark start` on a store with a ledger to the first page of that ledger, over HTTP with a token. The
 * floor is Express with a fixed answer. No chain network can be reached.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const events = sized({ full: 1_000_000, quick: 100_000, smallest: 1_000 });
  const env = { ...process.env, ...(await withoutNetworks()), DATA_DIR: folder };
  say(`filling a store with ${events} events`);
  const prepared = run('programs/prepare-ledger', [String(events)], { env });
  await prepared.next();
  await prepared.ended();
  const token = await issueLocalToken(readConfig(env), {
    issuer: 'instance',
    role: 'finance',
    secure: false,
    ttl: 3_600,
    subject: 'bench',
  });
  const ledger: Probe = {
    path: '/api/instance-admin',
    options: {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ action: 'list_fee_ledger' }),
    },
    isAnswer: json => (json as { rows: unknown[]; total: number }).total === Math.round((events * 3) / 4),
  };
  const ready: Probe = {
    path: '/ready',
    options: { method: 'GET' },
    isAnswer: json => (json as { ready: boolean }).ready,
  };
  const bare = join(__dirname, '..', 'programs', 'bare-express.js');

  say('starting');
  const { ours, floor } = await interleave(sized({ full: 5, quick: 3, smallest: 1 }), {
    async ours() {
      const port = await freePort();
      const settings = { ...env, PORT: String(port), HOST: '127.0.0.1' };
      return untilAnswered([CLI, 'start'], port, settings, ledger);
    },
    async floor() {
      const port = await freePort();
      return untilAnswered([bare, String(port)], port, process.env, ready);
    },
  });
  return [
    figure({ what: 'cold start to a ledger page: to bare Express', unit: 'ms' }, paired(ours, floor), {
      of: 'value',
      atMost: 1_000,
    }),
  ];
};
