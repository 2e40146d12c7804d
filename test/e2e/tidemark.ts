import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiledPath } from '../../infra/engines/compiled-path';
import { until } from '../until';

const PROGRAM = compiledPath('infra/cli/main.ts');

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The compiled program as a child process. */
export interface Tidemark {
  readonly url: string;
  /** Where metrics are, and what is wrong. */
  readonly operatorsUrl: string;
  readonly process: ChildProcess;
  readonly ended: Promise<ExitStatus>;
  /** Its log so far, for the message of a failed test. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<ExitStatus>;
}

export type Settings = Readonly<Record<string, string>>;

/** Tests exceed the default limits. */
const WITHOUT_LIMITS = Object.fromEntries(
  [
    'READS',
    'EXPORTS',
    'WRITES',
    'FEES',
    'ADDRESS',
    'FAILURES',
    'FIRST_READS',
    'NODE_READS',
    'CONTRACT_READS',
    'TOKEN_PRICES',
    'MESSAGES',
    'STORAGE_READS',
    'STORAGE_WRITES',
    'STORAGE_KEY_WRITES',
    'BRIDGE_MESSAGES',
    'BRIDGE_STREAMS',
    'CONNECTIONS',
    'WALLET_REQUESTS',
    'APP_REVIEWS',
    'PUSH_REGISTRATIONS',
    'PUSH_CHANGES',
    'CLIENT_ERRORS',
    'EXCHANGE_ESTIMATES',
    'EXCHANGE_ORDERS',
    'EXCHANGE_REFRESHES',
    'CARD_CALLS',
    'CARD_CHANGES',
    'CARD_CHALLENGE_GUESSES',
    'CARD_DEAD_TOKENS',
    'CARD_ENROLMENTS',
    'CARD_INVITATION_CHECKS',
    'CARD_PUBLIC_ACCOUNTS',
    'CARD_STEPS',
    'CARD_CONTACT_CODES',
  ].map(name => [`RATE_LIMIT_${name}`, '0']),
);

/** Of the environment of the tests only what a process needs to run. */
export function environment(settings: Settings): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: process.env.TMPDIR,
    PORT: '0',
    METRICS_PORT: '0',
    LOCAL_NETWORK_PORT: '0',
    CHECK_RESPONSES: 'true',
    ...WITHOUT_LIMITS,
    ...settings,
  };
}

const launch = (args: readonly string[], settings: Settings): ChildProcess =>
  spawn(process.execPath, [PROGRAM, ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** A `tidemark start` or `tidemark run` that may not be ready yet. */
interface SpawnedTidemark {
  readonly process: ChildProcess;
  readonly ended: Promise<ExitStatus>;
  /** Resolves once it answers requests, ready or not. */
  listening(): Promise<Tidemark>;
  /** Resolves once every health check passes. Rejects with the output when the program exits before. */
  ready(): Promise<Tidemark>;
  kill(signal: NodeJS.Signals): Promise<ExitStatus>;
}

const START_TIMEOUT_MS = 300_000;

export function spawnTidemark(settings: Settings, args: readonly string[] = ['start']): SpawnedTidemark {
  const child = launch(args, settings);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as ExitStatus);
  let output = '';
  let url: string | undefined;
  let operatorsUrl: string | undefined;
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      url ??= /"url":"(http:[^"]+)".*tidemark is up/.exec(output)?.[1];
      operatorsUrl ??= /"url":"(http:[^"]+)"[^\n]*metrics are served/.exec(output)?.[1];
    });
  const kill = (signal: NodeJS.Signals): Promise<ExitStatus> => {
    child.kill(signal);
    return ended;
  };
  const over = ended.then(({ code, signal }) => {
    throw new Error(`tidemark ended with ${code ?? signal}:\n${output}`);
  });
  over.catch(() => undefined);

  const listening = async (): Promise<Tidemark> => {
    const found = await Promise.race([
      over,
      until(
        () => url,
        address => address !== undefined,
        START_TIMEOUT_MS,
      ),
    ]);
    return { url: found!, operatorsUrl: operatorsUrl!, process: child, ended, output: () => output, kill };
  };

  return {
    process: child,
    ended,
    kill,
    listening,
    async ready() {
      const listens = await listening();
      await Promise.race([
        over,
        until(
          async () => {
            const response = await fetch(`${listens.operatorsUrl}/health/ready`);
            return response.ok ? 'ready' : response.text();
          },
          seen => seen === 'ready',
          START_TIMEOUT_MS,
        ),
      ]);
      return listens;
    },
  };
}

export function startTidemark(settings: Settings, args?: readonly string[]): Promise<Tidemark> {
  return spawnTidemark(settings, args).ready();
}

interface CommandResult extends ExitStatus {
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_RUN_MS = 600_000;

/** Runs a command of the program. @param timeoutMs how long it may take */
export async function tidemark(
  args: readonly string[],
  settings: Settings,
  timeoutMs = MAX_RUN_MS,
): Promise<CommandResult> {
  const child = launch(args, settings);
  const text = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (part: string) => (text.stdout += part));
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (text.stderr += part));
  const closed = once(child, 'close').then(([code, signal]) => ({ code, signal }) as ExitStatus);
  const tooLong = new AbortController();
  const ended = await Promise.race([
    closed,
    sleep(timeoutMs, null, { signal: tooLong.signal }).catch(() => null),
  ]);
  tooLong.abort();
  if (ended) return { ...ended, ...text };
  child.kill('SIGKILL');
  throw new Error(`tidemark ${args.join(' ')} timed out:\n${text.stdout}${text.stderr}`);
}

/** What `tidemark status` says of what is stored; it exits with 1 where no program answers at HOST and PORT. */
export async function storedStatus<Answer>(settings: Settings): Promise<Answer> {
  const { stdout, stderr } = await tidemark(['--json', 'status'], settings);
  if (stdout === '') throw new Error(`tidemark status: ${stderr}`);
  return JSON.parse(stdout) as Answer;
}

/** The result of a command with `--json`. @throws with its output when it fails */
export async function tidemarkJson<Answer>(
  args: readonly string[],
  settings: Settings,
  timeoutMs?: number,
): Promise<Answer> {
  const ran = await tidemark(['--json', ...args], settings, timeoutMs);
  if (ran.code !== 0)
    throw new Error(
      `tidemark ${args.join(' ')} ended with ${ran.code ?? ran.signal}: ${ran.stdout}${ran.stderr}`,
    );
  return JSON.parse(ran.stdout) as Answer;
}
