import { EngineUnavailable, type EngineName } from '../../contracts/engine-unavailable';
import type { Documents } from '../../contracts/ports/documents';
import type { Engines } from '../engines/engines';

/** Which engines refuse what is written to them. A full disk lets them be read, so that a question alone does not tell. */
export interface Refusals {
  /** Why the engine refused the last write to it; null when it took it, and some seconds after the last refusal. */
  of(engine: EngineName): string | null;
}

/**
 * Milliseconds after which a refusal is forgotten that no other write has followed: whoever keeps writes away from a
 * program that is not ready would never learn that they are taken again.
 */
const REMEMBERED = 10_000;

/** The same engines, with an eye on how writes end. */
export function watchRefusals(engines: Engines, now: () => number): { engines: Engines; refusals: Refusals } {
  const last = new Map<EngineName, { readonly reason: string; readonly at: number }>();

  const noting =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await work(...given);
      } catch (error) {
        if (error instanceof EngineUnavailable) last.set(error.engine, { reason: error.message, at: now() });
        throw error;
      }
    };
  const write =
    <Given extends readonly unknown[], Result>(
      engine: EngineName,
      work: (...given: Given) => Promise<Result>,
    ) =>
    async (...given: Given): Promise<Result> => {
      const result = await noting(work)(...given);
      last.delete(engine);
      return result;
    };

  const watched = (documents: Documents): Documents => ({
    ...documents,
    declare: noting(documents.declare),
    commit: write('documents', documents.commit),
  });

  const { store, log, documents, vault, jobs } = engines;
  return {
    engines: {
      ...engines,
      store: { ...store, append: write('event store', store.append) },
      log: { ...log, publish: write('log', log.publish), consume: noting(log.consume) },
      documents: watched(documents),
      vault: watched(vault),
      jobs: { ...jobs, add: write('jobs', jobs.add), work: noting(jobs.work) },
    },
    refusals: {
      of(engine) {
        const refusal = last.get(engine);
        return refusal && now() - refusal.at < REMEMBERED ? refusal.reason : null;
      },
    },
  };
}
