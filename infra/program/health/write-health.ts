import { EngineAccessDenied } from '../../../contracts/engine/engine-access-denied';
import { EngineUnavailable, type EngineName } from '../../../contracts/engine/engine-unavailable';
import type { Documents } from '../../../contracts/ports/documents';
import type { Engines } from '../../engines/engines';

/** Which engines refuse writes. An engine with a full disk can still be read, so that a read alone does not show it. */
export interface WriteHealth {
  /** Why the engine refused the last write; null when it accepted it, or `REMEMBER_MS` after the refusal. */
  of(engine: EngineName): string | null;
}

/**
 * A refusal is forgotten after a while: nobody writes to a program that is not ready, so nothing else would show that
 * writes are accepted again.
 */
const REMEMBER_MS = 10_000;

/** The same engines, which record how writes end. */
export function watchWrites(
  engines: Engines,
  now: () => number,
): { engines: Engines; writeHealth: WriteHealth } {
  const last = new Map<EngineName, { readonly reason: string; readonly at: number }>();

  const recorded =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await work(...given);
      } catch (error) {
        if (error instanceof EngineUnavailable || error instanceof EngineAccessDenied)
          last.set(error.engine, { reason: error.message, at: now() });
        throw error;
      }
    };
  const write =
    <Given extends readonly unknown[], Result>(
      engine: EngineName,
      work: (...given: Given) => Promise<Result>,
    ) =>
    async (...given: Given): Promise<Result> => {
      const result = await recorded(work)(...given);
      last.delete(engine);
      return result;
    };

  const watched = (documents: Documents): Documents => ({
    ...documents,
    declare: recorded(documents.declare),
    commit: write('documents', documents.commit),
  });

  const { store, log, documents, vault, jobs } = engines;
  return {
    engines: {
      ...engines,
      store: { ...store, append: write('event store', store.append) },
      log: { ...log, publish: write('log', log.publish), consume: recorded(log.consume) },
      documents: watched(documents),
      vault: watched(vault),
      jobs: { ...jobs, add: write('jobs', jobs.add), work: recorded(jobs.work) },
    },
    writeHealth: {
      of(engine) {
        const refusal = last.get(engine);
        return refusal && now() - refusal.at < REMEMBER_MS ? refusal.reason : null;
      },
    },
  };
}
