import { createProjectionEngine } from '../../../projections/engine/engine';
import type { Engines } from '../../../infra/engines/engines';
import { createLogger } from '../../../infra/program/logger';
import { READ_MODELS } from '../../../infra/program/read-models';

const LOOK_EVERY = 20;

/** Projects all that the engines hold, as a program would have that ran until now. */
export async function projectAll(engines: Engines): Promise<void> {
  const stop = new AbortController();
  const engine = createProjectionEngine({
    projections: READ_MODELS,
    ...engines,
    clock: () => new Date(),
    logger: createLogger('warn'),
    signal: stop.signal,
  });
  const running = engine.run(stop.signal);
  const isBehind = async (): Promise<boolean> =>
    (await engine.status()).some(({ state, lag }) => state === 'absent' || lag > 0);
  while (await isBehind())
    await Promise.race([running, new Promise(resolve => setTimeout(resolve, LOOK_EVERY))]);
  stop.abort();
  await running;
}
