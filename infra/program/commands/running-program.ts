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
    'ask the process at this URL, which needs no DATA_DIR; default: the program on DATA_DIR; where the engines are servers, at HOST and PORT',
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
      /** Null where nothing was asked: no program has claimed the data folder. */
      readonly url: string | null;
      /** It has claimed the data folder, and does not answer. */
      readonly starting: boolean;
      /** The program that ran last on the data folder, if it ended without stopping: it was killed, or the machine failed. */
      readonly killed: Pick<RunningProgram, 'pid' | 'startedAt'> | null;
      readonly reason: string;
    };

/**
 * Asks at the operators' address, and at that of the API where the former does not answer.
 * @param at the URL of a process, either of them; default: those of the program on the data folder, or of the settings where
 * the engines are servers
 */
export async function askProgram(config: Config, at?: string): Promise<ProgramHealth> {
  if (at !== undefined) {
    const url = withoutTrailingSlashes(at);
    return asked(false, { url, operatorsUrl: url, pid: null, startedAt: null });
  }
  if (isDistributed(config)) return asked(false, configured(config));
  const published = findRunning(config.DATA_DIR);
  if (isDataDirClaimed(config.DATA_DIR)) return asked(true, published ?? configured(config));
  // At the address of the settings, or at what was published by a program that was killed, may be one on another folder.
  const killed = published && { pid: published.pid, startedAt: published.startedAt };
  const reason = `no tidemark runs on ${config.DATA_DIR}`;
  return { running: false, url: null, starting: false, killed, reason };
}

async function asked(isClaimed: boolean, program: Asked): Promise<ProgramHealth> {
  const { url, operatorsUrl, pid, startedAt } = program;
  try {
    const found = await ask(operatorsUrl).catch(async () => ask(url));
    return { running: true, url, pid, startedAt, ...found };
  } catch (error) {
    return { running: false, url, starting: isClaimed, killed: null, reason: reasonOf(error) };
  }
}

/** That no program runs, where one address would tell; null where roles run in processes of their own. */
export async function missingProgram(config: Config): Promise<NotRunning | null> {
  const program = isDistributed(config) ? null : await askProgram(config);
  return program?.running === false ? program : null;
}

type NotRunning = Extract<ProgramHealth, { running: false }>;

/** Whether a program may be running: it does where it has claimed the data folder. */
export function mayBeRunning(config: Config): boolean {
  return isDistributed(config) || isDataDirClaimed(config.DATA_DIR);
}

/** What to say where a command needs a running program. */
export function notRunning({ url, reason }: NotRunning): string {
  return url === null ? reason : `no program answers at ${url}: ${reason}`;
}

async function ask(url: string): Promise<z.output<typeof health>> {
  const response = await fetch(`${reachable(url)}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const found = health.safeParse(await response.json().catch(() => null));
  if (!found.success) throw new Error(`what answers is not tidemark (HTTP ${response.status})`);
  return found.data;
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

interface Asked extends Pick<RunningProgram, 'url' | 'operatorsUrl'> {
  readonly pid: number | null;
  readonly startedAt: string | null;
}

function configured(config: Config): Asked {
  const operators = operatorsAddress(config);
  return {
    url: urlOf(config.HOST, config.PORT),
    operatorsUrl: urlOf(operators.host, operators.port),
    pid: null,
    startedAt: null,
  };
}

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
