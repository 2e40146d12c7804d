import type { EngineName } from '../../contracts/engine-unavailable';
import type { ProjectionEngine } from '../../projections/engine/engine';
import type { Engines } from '../engines/engines';
import type { Check } from './health';
import type { Metrics } from './metrics';
import type { Refusals } from './write-health';

/** What must hold for any process to be of use: each engine answers a small question, and takes what is written to it. */
export function engineChecks({ store, log, documents, jobs }: Engines, refusals: Refusals): Check[] {
  const check = (name: EngineName, ask: () => Promise<unknown>): Check => ({
    name,
    vital: true,
    async run() {
      await ask();
      return refusals.of(name);
    },
  });
  return [
    check('event store', () => store.head()),
    check('log', () => log.committed('health', 'observations')),
    check('documents', () => documents.checkpoint('health')),
    check('jobs', () => jobs.counts('health')),
  ];
}

/** What is read is kept up to date, by whichever process does it. */
export function projectionsCheck(engine: ProjectionEngine): Check {
  return {
    name: 'projections',
    vital: true,
    async run() {
      const stopped = (await engine.status()).filter(({ state }) => state === 'stopped');
      return stopped.length === 0 ? null : `stopped: ${stopped.map(({ name }) => name).join(', ')}`;
    },
  };
}

/** Brings the gauges of the projections to where they stand now. */
export async function projectionGauges(metrics: Metrics, engine: ProjectionEngine): Promise<void> {
  for (const { name: projection, lag, state } of await engine.status()) {
    metrics.projectionLag.set({ projection }, lag);
    metrics.projectionStopped.set({ projection }, state === 'stopped' ? 1 : 0);
  }
}
