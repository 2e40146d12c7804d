import type { Logger } from 'pino';
import { EngineAccessDenied } from '../../../contracts/engine/engine-access-denied';
import { EngineBusy, EngineUnavailable, type EngineName } from '../../../contracts/engine/engine-unavailable';
import type { Engines } from '../../engines/engines';

type OutageLogger = Pick<Logger, 'error' | 'warn'>;

/** An engine with a full disk answers reads. */
type Kind = 'reads' | 'writes';

interface Outage {
  readonly since: number;
  failedCalls: number;
  /** When the last failure of each kind was seen, of those that have not been answered since. */
  readonly failedAt: Map<Kind, number>;
}

/** The calls of an engine that end soon, and throw `EngineUnavailable` where it does not answer. */
type Calls<Engine> = Readonly<Record<Kind, readonly (keyof Engine & string)[]>>;

/** A caller that has asked for too much finds the engine busy. */
const isOutage = (error: unknown): error is EngineUnavailable | EngineAccessDenied =>
  error instanceof EngineAccessDenied ||
  (error instanceof EngineUnavailable && !(error instanceof EngineBusy));

type AnyCall = (...given: readonly unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

/**
 * The same engine, which logs one line when it no longer answers, and one, with how many calls failed, when it does again.
 * @param now milliseconds of a clock that never goes back
 */
export function reportOutages<Engine extends object>(
  name: EngineName,
  engine: Engine,
  calls: Calls<Engine>,
  logger: OutageLogger,
  now = () => performance.now(),
): Engine {
  let outage: Outage | null = null;

  const failed = (kind: Kind, error: unknown): void => {
    if (!isOutage(error) || error.engine !== name) return;
    if (!outage) logger.error({ engine: name, reason: error.reason }, 'engine does not answer');
    outage ??= { since: now(), failedCalls: 0, failedAt: new Map() };
    outage.failedCalls += 1;
    outage.failedAt.set(kind, now());
  };
  /** What began before the last failure says nothing of the time after it. */
  const answered = (kind: Kind, began: number): void => {
    if (!outage || began < (outage.failedAt.get(kind) ?? 0)) return;
    const { since, failedCalls, failedAt } = outage;
    failedAt.delete(kind);
    if (failedAt.size > 0) return;
    outage = null;
    const seconds = Math.round((now() - since) / 1_000);
    logger.warn({ engine: name, failedCalls, seconds }, 'engine answers again');
  };
  const settled = async (kind: Kind, result: Promise<unknown>): Promise<unknown> => {
    const began = now();
    try {
      const value = await result;
      answered(kind, began);
      return value;
    } catch (error) {
      failed(kind, error);
      throw error;
    }
  };
  async function* iterated(kind: Kind, result: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    const began = now();
    try {
      yield* result;
      answered(kind, began);
    } catch (error) {
      failed(kind, error);
      throw error;
    }
  }
  const observed =
    (kind: Kind, call: AnyCall): AnyCall =>
    (...given) => {
      const result = call(...given);
      return Symbol.asyncIterator in result ? iterated(kind, result) : settled(kind, result);
    };

  const byName = engine as Readonly<Record<string, AnyCall>>;
  const observedOf = (kind: Kind) => calls[kind].map(call => [call, observed(kind, byName[call]!)] as const);
  return { ...engine, ...Object.fromEntries([...observedOf('reads'), ...observedOf('writes')]) };
}

const STORE: Calls<Engines['store']> = {
  reads: ['head', 'end', 'readStream'],
  writes: ['append', 'deleteUpTo'],
};
const LOG: Calls<Engines['log']> = { reads: ['endOffsets', 'committedOffsets'], writes: ['publish'] };
const DOCUMENTS: Calls<Engines['documents']> = {
  reads: ['get', 'getMany', 'find', 'scan', 'count', 'sum', 'checkpoint'],
  writes: ['commit'],
};
const JOBS: Calls<Engines['jobs']> = {
  reads: ['counts', 'queues', 'failures'],
  writes: ['add', 'schedule', 'unschedule'],
};

/** All engines of a process, each with its own outages. */
export function reportEngineOutages(engines: Engines, logger: OutageLogger): Engines {
  const { store, log, documents, vault, jobs } = engines;
  const observed = reportOutages('documents', documents, DOCUMENTS, logger);
  return {
    ...engines,
    store: reportOutages('event store', store, STORE, logger),
    log: reportOutages('log', log, LOG, logger),
    documents: observed,
    vault: vault === documents ? observed : reportOutages('documents', vault, DOCUMENTS, logger),
    jobs: reportOutages('jobs', jobs, JOBS, logger),
  };
}
