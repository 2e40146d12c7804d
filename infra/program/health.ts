import { setTimeout as pause } from 'node:timers/promises';
import { Router } from 'express';

/** One thing that is looked at. */
export interface Check {
  readonly name: string;
  /** Whether the program is of no use without it. A chain that cannot be reached is not: reads go on from documents. */
  readonly vital: boolean;
  /** Null when well, else what is wrong. */
  run(): Promise<string | null>;
}

/**
 * Live: the process answers. Ready: everything vital is well, else 503. `degraded` is ready with something wrong that
 * is not vital; the checks say what.
 */
export function healthRouter(checks: readonly Check[]): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => void response.json({ status: 'live' }));
  router.get('/health/ready', async (_request, response) => {
    const results = await Promise.all(
      checks.map(async check => ({ ...check, reason: await verdict(check) })),
    );
    const wrong = results.filter(({ reason }) => reason !== null);
    const ready = !wrong.some(({ vital }) => vital);
    response.status(ready ? 200 : 503).json({
      status: ready ? (wrong.length === 0 ? 'ready' : 'degraded') : 'not ready',
      checks: Object.fromEntries(results.map(({ name, reason }) => [name, reason ?? 'ok'])),
    });
  });
  return router;
}

/** Milliseconds that a check may take: whoever asks has a time-out of his own. */
const PATIENCE = 4_000;

async function verdict(check: Check): Promise<string | null> {
  const late = new AbortController();
  try {
    return await Promise.race([
      check.run(),
      pause(PATIENCE, 'does not answer', { signal: late.signal, ref: false }),
    ]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    late.abort();
  }
}
