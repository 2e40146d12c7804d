import { setTimeout as sleep } from 'node:timers/promises';
import { asProcess } from '../../contracts/current-caller';
import type { Projection } from '../projection';
import { ProjectionBehind, ProjectionIncomplete, ProjectionStopped } from '../unreadable';
import type { Context } from './context';
import { faultOf } from './projection-record';
import type { ReadGenerations } from './read-generations';
import { hasFolded, readSourceEnd, type SourceEnd } from './source-end';

/** Projections whose documents may not be read. */
export interface Unreadable {
  /** By an input that cannot be folded. */
  readonly stopped: readonly string[];
  /** They have not folded yet what the sources held when this program started. */
  readonly behind: readonly string[];
  /** They lack events that the store has, although they have folded later ones. */
  readonly incomplete: readonly string[];
}

/**
 * Which projections may be read. Documents that lack what their source held when the program started are not shown: who
 * reads them would take for missing what is only not folded yet. Once a projection has caught up, that is remembered,
 * and a read costs no query; after a stop it has to catch up again.
 */
export interface Readiness {
  /** Reads where the sources end now, at the start: else they are read at the first look, with what was recorded before it. */
  begin(): void;
  /**
   * Null when the documents of the projection may be read; else a promise of it, which waits a moment while the projection
   * catches up. @throws ProjectionStopped, ProjectionIncomplete, ProjectionBehind
   */
  admit(projection: Projection): Promise<void> | null;
  unreadable(): Promise<Unreadable>;
}

/** How long a read waits for a projection to catch up, as after a restart. */
const WAIT_MS = 2_000;
const POLL_MS = 25;

export function createReadiness(
  context: Pick<Context, 'store' | 'log' | 'documents' | 'records' | 'order'>,
  projections: readonly Projection[],
  generations: ReadGenerations,
  signal: AbortSignal,
): Readiness {
  const { records, order } = context;
  const caughtUp = new Set<string>();
  const atStart = onceRead(() => readSourceEnd(context, projections));
  /** Of those that had stopped. */
  const atResume = new Map<string, () => Promise<SourceEnd>>();

  const faultIn = (projection: Projection) => faultOf(records.peek(projection.name), projection);
  /** The last generation that is known to lack events, and how many: reads leave it a moment after its record is replaced. */
  const incomplete = new Map<string, { readonly generation: number; readonly events: number }>();
  const missingIn = ({ name }: Projection): number => {
    const found = incomplete.get(name);
    return found && found.generation === generations.peek(name)?.generation ? found.events : 0;
  };
  const stop = records.onRefresh(() => {
    for (const projection of projections) {
      const { name } = projection;
      const record = records.peek(name);
      if (record?.incomplete)
        incomplete.set(name, { generation: record.generation, events: record.incomplete.events });
      if (!faultIn(projection)) continue;
      caughtUp.delete(name);
      atResume.set(
        name,
        onceRead(() => readSourceEnd(context, [projection])),
      );
    }
  });
  signal.addEventListener('abort', stop, { once: true });

  /** @throws ProjectionStopped, ProjectionIncomplete */
  const look = singleFlight(async (projection: Projection): Promise<boolean> => {
    const { name } = projection;
    const generation = await generations.get(name);
    const fault = faultIn(projection);
    if (fault) throw new ProjectionStopped(name, fault.at);
    const missing = missingIn(projection);
    if (missing > 0) throw new ProjectionIncomplete(name, missing);
    if (caughtUp.has(name)) return true;
    const end = await (atResume.get(name) ?? atStart)();
    if (!(await hasFolded(context, projection, generation, end)) || faultIn(projection)) return false;
    caughtUp.add(name);
    order.satisfy(name);
    return true;
  });

  /** For all reads that wait at a time. */
  const untilCaughtUp = singleFlight(async (projection: Projection): Promise<void> => {
    const deadline = performance.now() + WAIT_MS;
    while (!(await look(projection))) {
      order.want(projection.name);
      if (performance.now() >= deadline || signal.aborted) throw new ProjectionBehind(projection.name);
      await sleep(POLL_MS);
    }
  });

  return {
    // Read again at the first look when it fails.
    begin: () => void atStart().catch(() => undefined),

    admit: projection =>
      caughtUp.has(projection.name) && !faultIn(projection) && missingIn(projection) === 0
        ? null
        : untilCaughtUp(projection),

    async unreadable() {
      await records.refresh();
      const stopped: string[] = [];
      const behind: string[] = [];
      const lacking: string[] = [];
      for (const projection of projections)
        try {
          if (!(await look(projection))) behind.push(projection.name);
        } catch (error) {
          if (error instanceof ProjectionStopped) stopped.push(projection.name);
          else if (error instanceof ProjectionIncomplete) lacking.push(projection.name);
          else throw error;
        }
      return { stopped, behind, incomplete: lacking };
    },
  };
}

/** The value of the first successful read. */
function onceRead<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  return () =>
    (value ??= asProcess(read).catch((error: unknown) => {
      value = null;
      throw error;
    }));
}

/** One run at a time for each projection, which all callers share. */
function singleFlight<T>(
  run: (projection: Projection) => Promise<T>,
): (projection: Projection) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return projection => {
    const { name } = projection;
    const known = running.get(name);
    if (known) return known;
    const begun = asProcess(() => run(projection)).finally(() => running.delete(name));
    running.set(name, begun);
    return begun;
  };
}
