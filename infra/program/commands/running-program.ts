import { InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { operatorsHealthReport } from '../../../contracts/http/health';
import { messageOf } from '../../../contracts/text/error-message';
import { isDistributed } from '../../engines/engines';
import { isDataDirClaimed } from '../../engines/data-dir-claim';
import { operatorsAddress } from '../operators';
import { findRunning, type RunningProgram } from '../running-file';
import type { Config } from '../../config/settings';
import { parseUrl } from '../../../contracts/url/parse-url';
import { withoutTrailingSlashes } from '../../../contracts/url/trailing-slashes';

const TIMEOUT_MS = 6_000;

/** `--url`: of a process, wherever it runs. A command with it needs no data folder. */
export function urlOption(): Option {
  return new Option(
    '--url <url>',
    'ask the process at this URL, which needs no DATA_DIR; default: the program on DATA_DIR, or at HOST and PORT',
  ).argParser(text => {
    if (/^https?:$/.test(parseUrl(text)?.protocol ?? '')) return text;
    throw new InvalidArgumentError('An http or https URL, such as http://10.0.0.7:3000.');
  });
}

/** At the address of the API there are no checks. */
const health = operatorsHealthReport.extend({ checks: operatorsHealthReport.shape.checks.default({}) });

/** What the running program says of itself. */
export type ProgramHealth =
  | ({
      readonly running: true;
      readonly url: string;
      readonly pid: number | null;
      readonly startedAt: string | null;
    } & z.output<typeof health>)
  | {
      readonly running: false;
      readonly url: string;
      /** It has claimed the data folder, and does not answer. */
      readonly starting: boolean;
      /** The program that ran last on the data folder, if it ended without stopping: it was killed, or the machine failed. */
      readonly killed: Pick<RunningProgram, 'pid' | 'startedAt'> | null;
      readonly reason: string;
    };

/**
 * Asks at the operators' address, and at that of the API where the former does not answer.
 * @param at the URL of a process, either of them; default: those of the program on the data folder, or of the settings
 */
export async function askProgram(config: Config, at?: string): Promise<ProgramHealth> {
  const { isClaimed, published } =
    at === undefined && !isDistributed(config) ? inDataDir(config) : { isClaimed: false, published: null };
  // What was published by a program that was killed may be the address of another one by now.
  const answering = isClaimed ? published : null;
  const url = at !== undefined ? withoutTrailingSlashes(at) : (answering?.url ?? configuredUrl(config));
  const operatorsUrl = at === undefined ? (answering?.operatorsUrl ?? configuredOperatorsUrl(config)) : url;
  try {
    const found = await ask(operatorsUrl).catch(async () => ask(url));
    const { pid = null, startedAt = null } = answering ?? {};
    return { running: true, url, pid, startedAt, ...found };
  } catch (error) {
    const killed =
      isClaimed || published === null ? null : { pid: published.pid, startedAt: published.startedAt };
    return { running: false, url, starting: isClaimed, killed, reason: reasonOf(error) };
  }
}

const inDataDir = ({ DATA_DIR }: Config) => ({
  isClaimed: isDataDirClaimed(DATA_DIR),
  published: findRunning(DATA_DIR),
});

async function ask(url: string): Promise<z.output<typeof health>> {
  const response = await fetch(`${reachable(url)}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const found = health.safeParse(await response.json().catch(() => null));
  if (!found.success) throw new Error(`what answers is not tidemark (HTTP ${response.status})`);
  return found.data;
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const configuredUrl = ({ HOST, PORT }: Config): string => urlOf(HOST, PORT);

const configuredOperatorsUrl = (config: Config): string => {
  const { host, port } = operatorsAddress(config);
  return urlOf(host, port);
};

/** A program that listens on every address answers on this machine's own. */
const reachable = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

/** `fetch` names the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause, name } = error as {
    cause?: { message?: string; code?: string; hostname?: string };
    name?: string;
  };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} seconds`;
  if (cause?.code === 'ECONNREFUSED') return 'nothing listens there';
  if (cause?.code === 'ENOTFOUND') return `there is no host ${cause.hostname}`;
  return cause?.message || cause?.code || messageOf(error);
}
