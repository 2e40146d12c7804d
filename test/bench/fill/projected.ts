import type { Engines } from '../../../infra/engines/engines';
import type { Projection } from '../../../projections/projection';
import { projectionEngine, runUntil } from '../projection-engine';

const POLL_MS = 50;

/** Brings projections up to date, all by default. */
export async function project(engines: Engines, projections?: readonly Projection[]): Promise<void> {
  const stop = new AbortController();
  const engine = projectionEngine(engines, stop.signal, projections);
  const isUpToDate = async (): Promise<boolean> =>
    (await engine.status()).every(({ state, lag }) => state !== 'absent' && lag === 0);
  await runUntil(engine, stop, isUpToDate, POLL_MS);
}
