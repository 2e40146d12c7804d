import type { ProjectionEngine } from '../projections/engine/engine';
import type { Chains } from './chains';
import type { Engines } from './engines';
import type { Check } from './health';
import type { Metrics } from './metrics';

/** What must hold for the program to be of use: engines that answer, and nobody standing still. */
export function checks(engine: ProjectionEngine, { ton, solana }: Chains, { store, log }: Engines): Check[] {
  return [
    { name: 'event store', vital: true, run: () => store.head().then(() => null) },
    { name: 'log', vital: true, run: () => log.committed('health', 'observations').then(() => null) },
    {
      name: 'projections',
      vital: true,
      async run() {
        const stopped = (await engine.status()).filter(({ state }) => state === 'stopped');
        return stopped.length === 0 ? null : `stopped: ${stopped.map(({ name }) => name).join(', ')}`;
      },
    },
    ...[...ton].map(([network, indexer]) => indexerCheck(`indexer-ton ${network}`, indexer.status)),
    ...[...solana].map(([network, indexer]) => indexerCheck(`indexer-solana ${network}`, indexer.status)),
  ];
}

const indexerCheck = (
  name: string,
  status: () => { readonly frontier: number | null; readonly hole: { readonly reason: string } | null },
): Check => ({
  name,
  vital: false,
  async run() {
    const { frontier, hole } = status();
    if (hole) return hole.reason;
    return frontier === null ? 'has not begun yet' : null;
  },
});

/** Brings the gauges to where things stand now. */
export async function refreshGauges(
  metrics: Metrics,
  engine: ProjectionEngine,
  { ton, solana }: Chains,
): Promise<void> {
  for (const { name: projection, lag, state } of await engine.status()) {
    metrics.projectionLag.set({ projection }, lag);
    metrics.projectionStopped.set({ projection }, state === 'stopped' ? 1 : 0);
  }
  for (const [chain, indexers] of [
    ['ton', ton],
    ['solana', solana],
  ] as const) {
    for (const [network, indexer] of indexers) {
      const { frontier, lag, hole } = indexer.status();
      const labels = { chain, network };
      metrics.indexerFrontier.set(labels, frontier ?? 0);
      metrics.indexerLag.set(labels, lag ?? 0);
      metrics.indexerHole.set(labels, hole ? 1 : 0);
    }
  }
}
