import { statfs } from 'node:fs/promises';
import type { EngineName } from '../../../contracts/engine/engine-unavailable';
import type { Jobs } from '../../../contracts/ports/jobs';
import { backfillQueues } from '../../../indexers/backfill-jobs';
import type { ProjectionEngine } from '../../../projections/engine/engine';
import type { Engines } from '../../engines/engines';
import { isReady, type Check, type CheckHealth } from './health';
import type { Metrics } from '../metrics/metrics';
import { networksOf } from '../../config/network-settings';
import type { Config } from '../../config/settings';
import type { WriteHealth } from './write-health';

/** What any process needs: each engine answers a small read, and accepts what is written to it. */
export function engineChecks({ store, log, documents, jobs }: Engines, writeHealth: WriteHealth): Check[] {
  const check = (engine: EngineName, read: () => Promise<unknown>, neededBy?: Check['neededBy']): Check => ({
    name: engine.replace(' ', '_'),
    vital: true,
    ...(neededBy && { neededBy }),
    async run() {
      await read();
      return writeHealth.of(engine);
    },
  });
  return [
    check('event store', () => store.head(), 'writes'),
    check('log', () => log.committedOffsets('health', 'observations')),
    check('documents', () => documents.checkpoint('health'), 'reads'),
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
    neededBy: 'reads',
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

/** On a server that programs share one may write into the streams of another. Nothing is wrong with what this one has recorded. */
export function foreignEventsCheck({ foreignEvents }: Pick<Engines, 'foreignEvents'>): Check {
  return {
    name: 'foreign_events',
    vital: false,
    async run() {
      const found = foreignEvents.report();
      if (!found) return null;
      const { count, isMore, first } = found;
      return `${isMore ? 'more than ' : ''}${count} skipped that another program has written, first ${first.type} in ${first.stream} at position ${first.position}`;
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

export async function healthGauges(
  { ready, failedChecks }: Metrics,
  checkHealth: CheckHealth,
): Promise<void> {
  const results = await checkHealth();
  ready.set(isReady(results) ? 1 : 0);
  for (const { name: check, reason } of results) failedChecks.set({ check }, reason === null ? 0 : 1);
}

export async function diskGauges(metrics: Metrics, dataDir: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  metrics.dataDirFreeBytes.set(bavail * bsize);
  metrics.dataDirSizeBytes.set(blocks * bsize);
}

/** The queues without those of networks that are off, whose jobs wait until they no longer are. */
export async function workedQueues(jobs: Jobs, config: Config): Promise<string[]> {
  const off = networksOf(config, 'off').flatMap(backfillQueues);
  return (await jobs.queues()).filter(queue => !off.includes(queue));
}

export async function jobGauges(metrics: Metrics, jobs: Jobs, config: Config): Promise<void> {
  for (const queue of await workedQueues(jobs, config)) {
    // Those that are delayed are among those that wait: the states of a queue add up to its jobs.
    const { delayed: _, ...states } = await jobs.counts(queue);
    for (const [state, count] of Object.entries(states)) metrics.jobs.set({ queue, state }, count);
  }
}
