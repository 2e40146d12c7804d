import type { Logger } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Log } from '../../contracts/ports/log';
import type { Projection } from '../projection';
import type { Views } from '../views';
import type { Context, ProjectionHooks } from './context';
import { resume } from './faults';
import { reap } from './reaper';
import { rebuild, type RebuildOptions, type RebuildReport } from './rebuild';
import { ENGINE_COLLECTIONS } from './record';
import { watchRecords } from './records';
import { createServing } from './serving';
import { statusOf, type ProjectionStatus } from './status';
import { supervise, type RunnerState } from './supervise';
import { createTurns } from './turn';
import { createViews } from './views';

export interface ProjectionEngine {
  /** For queries; works whether or not this program runs projections. */
  readonly views: Views;
  /** Keeps all projections up to date until the signal; resolves when the batches in hand are done. */
  run(signal: AbortSignal): Promise<void>;
  /** Builds a projection anew beside the live one, which another program may be running. */
  rebuild(projection: string, options: RebuildOptions): Promise<RebuildReport>;
  /** Lets a stopped projection try again, wherever it runs. */
  resume(projection: string): Promise<void>;
  status(): Promise<ProjectionStatus[]>;
}

export interface EngineOptions {
  readonly projections: readonly Projection[];
  readonly documents: Documents;
  readonly store: EventStore;
  readonly log: Log;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Ends the watching of the projections' records that views need; fire it before the documents are closed. */
  readonly signal: AbortSignal;
  readonly hooks?: ProjectionHooks;
  /** Builds at a time; default 2. */
  readonly concurrency?: number;
}

/** Names become part of the names of collections and checkpoints: `fees@3`, `fees@3/transfers/0`. */
const NAME = /^[\w.-]+$/;

/** @throws when two projections share a name or a collection, or one is not a plain word */
export function createProjectionEngine(options: EngineOptions): ProjectionEngine {
  const { projections, documents, store, log, clock, logger, signal, hooks = {}, concurrency = 2 } = options;
  const names = projections.map(({ name }) => name);
  assertNames('projection', names);
  assertNames(
    'collection',
    projections.flatMap(({ collections }) => collections.map(({ name }) => name)),
  );

  const records = watchRecords(documents, names, signal);
  const context: Context = { documents, store, log, records, clock, logger, hooks };
  const turn = createTurns(concurrency);
  const states = new Map<string, RunnerState>();
  const named = (name: string): Projection => {
    const projection = projections.find(candidate => candidate.name === name);
    if (!projection) throw new Error(`there is no projection ${name}`);
    return projection;
  };

  return {
    views: createViews({
      projections,
      documents,
      store,
      records,
      serving: createServing(documents, records, signal),
    }),

    async run(until) {
      const runners = projections.map(projection =>
        supervise({
          context,
          projection,
          turn,
          // Each has a signal of its own: one that dozens listen to makes Node warn of a leak.
          signal: AbortSignal.any([until]),
          onState: state => states.set(projection.name, state),
        }),
      );
      await Promise.all([...runners, reap(context, names, until)]);
      states.clear();
    },

    async rebuild(name, rebuildOptions) {
      await documents.declare(ENGINE_COLLECTIONS);
      return turn(() => rebuild(context, named(name), rebuildOptions));
    },

    async resume(name) {
      await documents.declare(ENGINE_COLLECTIONS);
      await resume(context, named(name).name);
    },

    async status() {
      await documents.declare(ENGINE_COLLECTIONS);
      return Promise.all(
        projections.map(projection => statusOf(context, projection, states.get(projection.name))),
      );
    },
  };
}

function assertNames(what: string, names: readonly string[]): void {
  for (const [i, name] of names.entries()) {
    if (!NAME.test(name)) throw new Error(`${what} name "${name}"`);
    if (names.indexOf(name) !== i) throw new Error(`the ${what} name ${name} is taken twice`);
  }
}
