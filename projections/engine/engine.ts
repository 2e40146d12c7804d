import { Semaphore } from 'async-mutex';
import type { Logger } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Log } from '../../contracts/ports/log';
import type { Position } from '../../contracts/position';
import type { StoredProgress } from '../../contracts/engine/stored-progress';
import { isLogProjection, type AccountHistory, type Projection } from '../projection';
import type { Views } from '../views';
import type { Context, ProjectionHooks } from './context';
import { foldedByAll, foldedRecordsByAll } from './folded-by-all';
import { foldedEvents } from './folded-events';
import { createFoldingOrder } from './folding-order';
import { compareEvents, type ComparedEvents } from './missing-events';
import { createPositionWaits } from './position-waits';
import { removeOldGenerations } from './cleanup';
import { rebuild, type RebuildOptions, type RebuildReport } from './rebuild';
import { storedProgress } from './progress';
import { clearFault, ENGINE_COLLECTIONS } from './projection-record';
import { createRecordCache } from './record-cache';
import { createReadGenerations } from './read-generations';
import { createReadiness, type Unreadable } from './readiness';
import { readStatus, type ProjectionStatus } from './status';
import type { RunnerState } from './runner-state';
import { runProjection } from './runner';
import { wantedElsewhere } from './wanted-elsewhere';
import { watchMissingEvents } from './watch-missing-events';
import { createViews } from './views';

export interface ProjectionEngine {
  /** For queries; works also when this program does not run projections. */
  readonly views: Views;
  /** Keeps all projections up to date until the signal; resolves when the current batches are done. */
  run(signal: AbortSignal): Promise<void>;
  /** Rebuilds a projection beside the live generation, which another program may be running. */
  rebuild(projection: string, options: RebuildOptions): Promise<RebuildReport>;
  /** Lets a stopped projection retry, in whatever program it runs. */
  resume(projection: string): Promise<void>;
  status(): Promise<ProjectionStatus[]>;
  /** The projections whose reads are refused, in whatever program they run. Costs little, unlike `status`. */
  unreadable(): Promise<Unreadable>;
  /** Counts all events of the store once, and compares them with what each projection of events has folded. */
  compareEvents(
    signal: AbortSignal,
    onProgress?: (done: number, total: number) => void,
  ): Promise<ComparedEvents[]>;
  /** How far the live documents go. */
  progress(): Promise<StoredProgress[]>;
  /** The position up to which every projection of a category has folded its events, one that is being rebuilt too. */
  foldedByAll(category: string): Promise<Position>;
  /**
   * By partition of a topic, the offset below which every projection has folded its records. Null while one is rebuilt, or its
   * documents are of another version than this program has.
   */
  foldedRecordsByAll(topic: string): Promise<readonly number[] | null>;
  /** What projections have of the histories of accounts, by topic. */
  histories(topic: string): readonly AccountHistory[];
}

export interface EngineOptions {
  readonly projections: readonly Projection[];
  readonly documents: Documents;
  readonly store: EventStore;
  readonly log: Log;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Stops watching the projections' records; abort it before the documents are closed. */
  readonly signal: AbortSignal;
  readonly hooks?: ProjectionHooks;
  /** Rebuilds at a time; default 2. */
  readonly concurrency?: number;
}

/** Names are part of the names of collections and checkpoints: `fees@3`, `fees@3/transfers/0`. */
const NAME = /^[\w.-]+$/;

/** @throws when two projections share a name or a collection, or a name has other characters than `\w.-` */
export function createProjectionEngine(options: EngineOptions): ProjectionEngine {
  const { projections, documents, store, log, clock, logger, signal, hooks = {}, concurrency = 2 } = options;
  const names = projections.map(({ name }) => name);
  assertNames('projection', names);
  assertNames(
    'collection',
    projections.flatMap(({ collections }) => collections.map(({ name }) => name)),
  );

  const records = createRecordCache(documents, names, signal);
  const states = new Map<string, RunnerState>();
  const order = createFoldingOrder(names, name => states.get(name), wantedElsewhere(records, options));
  const generations = createReadGenerations(documents, records, signal);
  const waits = createPositionWaits({ store, documents, generations, records });
  const { foldedHere } = waits;
  const context: Context = { documents, store, log, records, order, foldedHere, clock, logger, hooks };
  const readiness = createReadiness(context, projections, generations, signal);
  const rebuilds = new Semaphore(concurrency);
  const named = (name: string): Projection => {
    const projection = projections.find(candidate => candidate.name === name);
    if (!projection) throw new Error(`unknown projection ${name}`);
    return projection;
  };

  return {
    views: createViews({
      projections,
      documents,
      generations,
      readiness,
      waits,
    }),

    async run(until) {
      readiness.begin();
      const runners = projections.map(projection =>
        runProjection({
          context,
          projection,
          rebuilds,
          // Node warns of a leak when dozens of listeners share one signal.
          signal: AbortSignal.any([until]),
          onState: state => states.set(projection.name, state),
        }),
      );
      await Promise.all([
        ...runners,
        removeOldGenerations(context, names, until),
        watchMissingEvents(context, projections, until),
      ]);
      states.clear();
    },

    async rebuild(name, rebuildOptions) {
      await documents.declare(ENGINE_COLLECTIONS);
      return rebuilds.runExclusive(() => rebuild(context, named(name), rebuildOptions));
    },

    async resume(name) {
      await documents.declare(ENGINE_COLLECTIONS);
      await clearFault(context, named(name).name);
    },

    async status() {
      await documents.declare(ENGINE_COLLECTIONS);
      return readStatus(context, projections, name => states.get(name));
    },

    unreadable: readiness.unreadable,

    async compareEvents(until, onProgress) {
      await documents.declare(ENGINE_COLLECTIONS);
      const folded = await foldedEvents(documents, projections);
      return compareEvents(store, folded, until, (position, end) => onProgress?.(position + 1, end + 1));
    },

    async progress() {
      await documents.declare(ENGINE_COLLECTIONS);
      return storedProgress(context, projections);
    },

    async foldedByAll(category) {
      await documents.declare(ENGINE_COLLECTIONS);
      return foldedByAll(documents, projections, category);
    },

    async foldedRecordsByAll(topic) {
      await documents.declare(ENGINE_COLLECTIONS);
      const { length } = await log.endOffsets(topic);
      return foldedRecordsByAll(documents, projections, topic, length);
    },

    histories: topic =>
      projections.flatMap(each =>
        isLogProjection(each) && each.topics.includes(topic) ? (each.history ?? []) : [],
      ),
  };
}

function assertNames(what: string, names: readonly string[]): void {
  for (const [i, name] of names.entries()) {
    if (!NAME.test(name)) throw new Error(`invalid ${what} name "${name}"`);
    if (names.indexOf(name) !== i) throw new Error(`duplicate ${what} name ${name}`);
  }
}
