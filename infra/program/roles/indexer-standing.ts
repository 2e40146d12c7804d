import type { Leases } from '../../../indexers/lease';
import type { Check } from '../health';
import type { Enduring } from './endure';
import type { Metrics } from '../metrics';

interface Standing {
  readonly frontier: number | null;
  readonly lag: number | null;
  readonly hole: { readonly reason: string } | null;
}

interface Indexer extends Pick<Enduring, 'held'> {
  status(): Standing;
}

/** An indexer that another process runs is well here. The name is that of its lease too. */
export function indexerCheck(name: string, { held, status }: Indexer, leases: Leases | null): Check {
  return {
    name,
    vital: false,
    async run() {
      const obstacle = held();
      if (obstacle !== null) return obstacle;
      if (leases && !leases.holds(name)) return null;
      const { frontier, hole } = status();
      if (hole) return hole.reason;
      return frontier === null ? 'has not begun yet' : null;
    },
  };
}

export function indexerGauges(
  metrics: Metrics,
  labels: { readonly chain: string; readonly network: string },
  { frontier, lag, hole }: Standing,
): void {
  metrics.indexerFrontier.set(labels, frontier ?? 0);
  metrics.indexerLag.set(labels, lag ?? 0);
  metrics.indexerHole.set(labels, hole ? 1 : 0);
}
