import { InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { operatorsHealthReport } from '../../../contracts/http/health';
import { messageOf } from '../../../contracts/text/error-message';
import { isDistributed } from '../../engines/engines';
import { isDataDirClaimed } from '../../engines/data-dir-claim';
import { operatorsAddress } from '../operators';
import { findRunning } from '../running-file';
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
  /** `starting`: it has claimed the data folder, and does not answer. */
  | { readonly running: false; readonly url: string; readonly starting: boolean; readonly reason: string };

/**
 * Asks at the operators' address, and at that of the API where the former does not answer.
 * @param at the URL of a process, either of them; default: those of the program on the data folder, or of the settings
 */
export async function askProgram(config: Config, at?: string): Promise<ProgramHealth> {
  const published = at === undefined && !isDistributed(config) ? findRunning(config.DATA_DIR) : null;
  const url = at !== undefined ? withoutTrailingSlashes(at) : (published?.url ?? configuredUrl(config));
  const operatorsUrl = at === undefined ? (published?.operatorsUrl ?? configuredOperatorsUrl(config)) : url;
  try {
    const found = await ask(operatorsUrl).catch(async () => ask(url));
    const { pid = null, startedAt = null } = published ?? {};
    return { running: true, url, pid, startedAt, ...found };
  } catch (error) {
    const starting = at === undefined && !isDistributed(config) && isDataDirClaimed(config.DATA_DIR);
    return { running: false, url, starting, reason: reasonOf(error) };
  }
}

async function ask(url: string): Promise<z.output<typeof health>> {
  const response = await fetch(`${reachable(url)}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const found = health.safeParse(await response.json());
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
const reasonOf = (error: unknown): string => {
  const { cause } = error as { cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || messageOf(error);
};
