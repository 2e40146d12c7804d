import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import type { z } from 'zod';
import { messageOf } from '../../../contracts/text/error-message';
import type { healthReport } from '../../../contracts/http/health';

export interface Check {
  /** In snake_case: a key of the response. */
  readonly name: string;
  /** Whether the program is useless without it. A chain that cannot be reached is not: reads go on from documents. */
  readonly vital: boolean;
  /** What cannot be done without it, where it is vital; default: reads and writes. */
  readonly neededBy?: 'reads' | 'writes';
  /** What it would check is off: the report says so, and nothing is wrong. */
  readonly off?: boolean;
  /** Null when healthy, else what is wrong. */
  run(): Promise<string | null>;
}

/** Anybody may ask any number of times, and a look reads every engine. */
const SHARED_FOR_MS = 1_000;

interface CheckResult extends Check {
  /** Null when healthy. */
  readonly reason: string | null;
}

export type CheckHealth = () => Promise<readonly CheckResult[]>;

/** Runs the checks once for all calls of a second. @param now milliseconds of a clock that never goes back */
export function createHealth(checks: readonly Check[], now = () => performance.now()): CheckHealth {
  const joined = checks.map(check => ({ ...check, run: joinable(() => check.run(), now) }));
  return shared(
    () => Promise.all(joined.map(async check => ({ ...check, reason: await resultOf(check) }))),
    now,
  );
}

export function isReady(results: readonly CheckResult[]): boolean {
  return !results.some(({ vital, reason }) => vital && reason !== null);
}

const isPossible = (what: 'reads' | 'writes', results: readonly CheckResult[]): boolean =>
  isReady(results.filter(({ neededBy = what }) => neededBy === what));

/**
 * Live: the process answers. Ready: every vital check passes, else 503, which says whether reads or writes go on. `degraded` is
 * ready while a check that is not vital fails.
 * @param forOperators also says which checks there are, and what is wrong: reasons name hosts
 */
export function healthRouter(
  checkHealth: CheckHealth,
  { forOperators }: { readonly forOperators: boolean },
): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => void response.json({ status: 'live' }));
  router.get('/health/ready', async (_request, response) => {
    const results = await checkHealth();
    const failed = results.filter(({ reason }) => reason !== null);
    const ready = isReady(results);
    const report: z.output<typeof healthReport> = {
      status: ready ? (failed.length === 0 ? 'ready' : 'degraded') : 'not_ready',
      ...(!ready && { reads: isPossible('reads', results), writes: isPossible('writes', results) }),
    };
    const checks = results.map(({ name, off, reason }) => [name, reason ?? (off ? 'off' : 'ok')] as const);
    const shown = forOperators ? { ...report, checks: Object.fromEntries(checks) } : report;
    response.status(ready ? 200 : 503).json(shown);
  });
  return router;
}

/** One look for all who ask while it lasts, and until a second after its begin: no answer is of an older state. */
function shared<T>(look: () => Promise<T>, now: () => number): () => Promise<T> {
  let last: Promise<T> | null = null;
  let freshUntil = 0;
  let isRunning = false;
  return () => {
    if (last && (isRunning || now() < freshUntil)) return last;
    freshUntil = now() + SHARED_FOR_MS;
    isRunning = true;
    last = look().finally(() => (isRunning = false));
    return last;
  };
}

/** A check that has not ended by then is begun again: its answer may have been lost. */
const LOST_AFTER_MS = 60_000;

/**
 * The next look joins a check that still runs: at full load checks begun beside it, look after look, would keep all of them
 * from ending in time.
 */
function joinable(run: Check['run'], now: () => number): Check['run'] {
  let running: { readonly result: Promise<string | null>; readonly since: number } | null = null;
  return () => {
    if (running && now() - running.since < LOST_AFTER_MS) return running.result;
    const begun = {
      since: now(),
      result: run().finally(() => {
        if (running === begun) running = null;
      }),
    };
    running = begun;
    return begun.result;
  };
}

/** Shorter than the timeouts of load balancers. */
const CHECK_TIMEOUT_MS = 4_000;

async function resultOf(check: Check): Promise<string | null> {
  const done = new AbortController();
  try {
    return await Promise.race([
      check.run(),
      sleep(CHECK_TIMEOUT_MS, 'does not answer', { signal: done.signal, ref: false }),
    ]);
  } catch (error) {
    return messageOf(error);
  } finally {
    done.abort();
  }
}
