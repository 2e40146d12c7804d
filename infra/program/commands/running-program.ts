import { z } from 'zod';
import { messageOf } from '../../../contracts/text/error-message';
import { isDistributed } from '../../engines/engines';
import { isDataDirClaimed } from '../../engines/data-dir-claim';
import { findRunning } from '../running-file';
import type { Config } from '../../config/settings';

const TIMEOUT_MS = 6_000;

const health = z.object({
  status: z.enum(['ready', 'degraded', 'not_ready']),
  checks: z.record(z.string(), z.string()),
});

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

/** @param at the URL of a process; default: that of the program on the data folder, or of HOST and PORT */
export async function askProgram(config: Config, at?: string): Promise<ProgramHealth> {
  const published = at === undefined && !isDistributed(config) ? findRunning(config.DATA_DIR) : null;
  const url = at?.replace(/\/+$/, '') ?? published?.url ?? configuredUrl(config);
  try {
    const response = await fetch(`${reachable(url)}/health/ready`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const found = health.safeParse(await response.json());
    if (!found.success) throw new Error(`what answers is not tidemark (HTTP ${response.status})`);
    const { pid = null, startedAt = null } = published ?? {};
    return { running: true, url, pid, startedAt, ...found.data };
  } catch (error) {
    const starting = at === undefined && !isDistributed(config) && isDataDirClaimed(config.DATA_DIR);
    return { running: false, url, starting, reason: reasonOf(error) };
  }
}

const configuredUrl = ({ HOST, PORT }: Config): string =>
  `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;

/** A program that listens on every address answers on this machine's own. */
const reachable = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

/** `fetch` names the reason in the cause of its error. */
const reasonOf = (error: unknown): string => {
  const { cause } = error as { cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || messageOf(error);
};
