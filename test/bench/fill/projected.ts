import { createProjectionEngine } from '../../../projections/engine/engine';
import type { Engines } from '../../../infra/engines/engines';
import { createLogger } from '../../../infra/program/logger';
import { PROJECTIONS } from '../../../infra/program/features';

const POLL_MS = 20;

/** Brings all projections up to date. */
export async function projectAll(engines: Engines): Promise<void> {
  const stop = new AbortController();
  const engine = createProjectionEngine({
    projections: PROJECTIONS,
    ...engines,
    clock: () => new Date(),
    logger: createLogger('warn'),
    signal: stop.signal,
  });
  const running = engine.run(stop.signal);
  const isBehind = async (): Promise<boolean> =>
    (await engine.status()).some(({ state, lag }) => state === 'absent' || lag > 0);
  while (await isBehind())
    await Promise.race([running, new Promise(resolve => setTimeout(resolve, POLL_MS))]);
  stop.abort();
  await running;
}
