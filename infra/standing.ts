import type { ProjectionEngine } from '../projections/engine/engine';
import type { Engines } from './engines';
import type { Check } from './health';
import type { Metrics } from './metrics';

/** What must hold for any process to be of use: each engine answers a small question. */
export const engineChecks = ({ store, log, documents, jobs }: Engines): Check[] => [
  { name: 'event store', vital: true, run: () => store.head().then(well) },
  { name: 'log', vital: true, run: () => log.committed('health', 'observations').then(well) },
  { name: 'documents', vital: true, run: () => documents.checkpoint('health').then(well) },
  { name: 'jobs', vital: true, run: () => jobs.counts('health').then(well) },
];

const well = (): null => null;

/** What is read is kept up to date, by whichever process does it. */
export const projectionsCheck = (engine: ProjectionEngine): Check => ({
  name: 'projections',
  vital: true,
  async run() {
    const stopped = (await engine.status()).filter(({ state }) => state === 'stopped');
    return stopped.length === 0 ? null : `stopped: ${stopped.map(({ name }) => name).join(', ')}`;
  },
});

/** Brings the gauges of the projections to where they stand now. */
export async function projectionGauges(metrics: Metrics, engine: ProjectionEngine): Promise<void> {
  for (const { name: projection, lag, state } of await engine.status()) {
    metrics.projectionLag.set({ projection }, lag);
    metrics.projectionStopped.set({ projection }, state === 'stopped' ? 1 : 0);
  }
}
