import type { EngineName } from '../../contracts/engine-unavailable';
import type { ProjectionEngine } from '../../projections/engine/engine';
import type { Engines } from '../engines/engines';
import type { Check } from './health';
import type { Metrics } from './metrics';
import type { WriteHealth } from './write-health';

/** What any process needs: each engine answers a small read, and accepts what is written to it. */
export function engineChecks({ store, log, documents, jobs }: Engines, writeHealth: WriteHealth): Check[] {
  const check = (engine: EngineName, read: () => Promise<unknown>): Check => ({
    name: engine.replace(' ', '_'),
    vital: true,
    async run() {
      await read();
      return writeHealth.of(engine);
    },
  });
  return [
    check('event store', () => store.head()),
    check('log', () => log.committedOffsets('health', 'observations')),
    check('documents', () => documents.checkpoint('health')),
    check('jobs', () => jobs.counts('health')),
  ];
}

/**
 * All projections run, in whichever process, have folded once what the event store and the log held when this process
 * started, and lack nothing of what they have folded past: else their reads are refused.
 */
export function projectionsCheck(engine: ProjectionEngine): Check {
  return {
    name: 'projections',
    vital: true,
    async run() {
      const unreadable = await engine.unreadable();
      const reasons = Object.entries(unreadable).filter(([, names]) => names.length > 0);
      const repair = unreadable.incomplete.map(name => `; build it again with \`tidemark rebuild ${name}\``);
      return reasons.length === 0
        ? null
        : reasons.map(([reason, names]) => `${reason}: ${names.join(', ')}`).join('; ') + repair.join('');
    },
  };
}

export async function projectionGauges(metrics: Metrics, engine: ProjectionEngine): Promise<void> {
  for (const { name: projection, lag, state, incomplete } of await engine.status()) {
    metrics.projectionLag.set({ projection }, lag);
    metrics.projectionMissingEvents.set({ projection }, incomplete?.events ?? 0);
    metrics.projectionStopped.set({ projection }, state === 'stopped' ? 1 : 0);
  }
}
