import type { Logger } from 'pino';
import { z } from 'zod';
import type { TonNetwork } from '../../contracts/network/network';
import {
  observationKey,
  type ChangedBy,
  type Observation,
  type ReceivedMessage,
} from '../../contracts/observation/observation';
import type { ObservedReader } from '../../contracts/observation/reader';
import type { Jobs } from '../../contracts/ports/jobs';
import { findManyObserved, findSubjectsByField } from '../../projections/observations/queries';
import type { Views } from '../../projections/views';

/** Documents that are looked up together: a query has no more alternatives. */
const PAGE = 100;
const QUEUE = 'changed-observations';

/** A subject that may have changed since it was observed. */
const changed = z.object({
  kind: z.string(),
  subject: z.string(),
  /** Masterchain block in which it has changed. */
  seqno: z.int(),
  /** Milliseconds since the epoch: what was read before it may lack changes. */
  after: z.int(),
});

/** A block, how many transactions each account (raw) has in it, and who received messages from whom. */
interface Block {
  readonly seqno: number;
  readonly transactions: ReadonlyMap<string, number>;
  readonly received: readonly Omit<ReceivedMessage, 'network'>[];
}

export interface ChangesDeps {
  readonly network: TonNetwork;
  readonly observations: readonly Observation[];
  readonly views: Pick<Views, 'find' | 'getMany'>;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly logger: Pick<Logger, 'debug'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Has what was observed read again after the blocks that change it (`changedBy`). However many these are, a subject has one job
 * for each of its `minAgeMs`, which runs at the end of that time. While that is not possible nothing is refreshed before it is read.
 */
export function createChanges(deps: ChangesDeps): (blocks: readonly Block[]) => Promise<void> {
  const { network, views, jobs, logger, now } = deps;
  const byAccount = deps.observations.flatMap(observation => {
    const { changedBy } = observation;
    if (!changedBy || !('accountOf' in changedBy)) return [];
    const account = changedBy.accountOf(network);
    return [{ observation, subject: account.subject, isChangedIn: changesOf(account) }];
  });
  const byField = deps.observations.flatMap(observation => {
    const { changedBy } = observation;
    return changedBy && 'field' in changedBy ? [{ observation, field: changedBy.field }] : [];
  });
  const byMessage = deps.observations.flatMap(observation => {
    const { changedBy } = observation;
    if (!changedBy || !('subjectsOf' in changedBy)) return [];
    return [{ observation, subjectsOf: changedBy.subjectsOf.bind(changedBy) }];
  });

  async function add({ kind, subject: format, minAgeMs }: Observation, of: unknown, seqno: number) {
    const subject = format.format(of);
    const at = now();
    const next = (Math.floor(at / minAgeMs) + 1) * minAgeMs;
    const addAt = (after: number): Promise<boolean> => {
      const id = `${observationKey(kind, subject)}/${after}`;
      const data = { kind, subject, seqno, after } satisfies z.output<typeof changed>;
      return jobs.add({ queue: QUEUE, id, data, delayMs: after - at });
    };
    // One that is there asks for an earlier block: a node that is behind may answer it without what this one has changed.
    if (!(await addAt(next))) await addAt(next + minAgeMs);
  }

  async function addByAccount(blocks: readonly Block[]): Promise<void> {
    for (const { observation, subject, isChangedIn } of byAccount) {
      const changing = blocks.filter(isChangedIn);
      if (changing.length > 0) await add(observation, subject, changing.at(-1)!.seqno);
    }
  }

  async function addByField(blocks: readonly Block[]): Promise<void> {
    /** The newest block of each account. */
    const newest = new Map<string, number>();
    for (const { seqno, transactions } of blocks)
      for (const account of transactions.keys()) newest.set(account, seqno);
    for (const some of pagesOf([...newest.keys()]))
      for (const { observation, field } of byField)
        for (const { subject, value } of await findSubjectsByField(views, observation, field, some))
          if (observation.source.chainOf?.(subject).network === network)
            await add(observation, subject, newest.get(value)!);
  }

  async function addByMessage(blocks: readonly Block[]): Promise<void> {
    for (const { observation, subjectsOf } of byMessage) {
      /** By their texts, with the newest block of each. */
      const named = new Map<string, { readonly subject: unknown; readonly seqno: number }>();
      for (const { seqno, received } of blocks)
        for (const subject of received.flatMap(message => subjectsOf({ network, ...message })))
          named.set(observation.subject.format(subject), { subject, seqno });
      for (const some of pagesOf([...named.values()])) {
        const subjects = some.map(({ subject }) => subject);
        const known = await findManyObserved(views, observation, subjects);
        for (const [place, { subject, seqno }] of some.entries())
          if (known[place]) await add(observation, subject, seqno);
      }
    }
  }

  return async blocks => {
    try {
      await addByAccount(blocks);
      await addByField(blocks);
      await addByMessage(blocks);
    } catch (error) {
      logger.debug({ err: error, network }, 'changed observations not requested');
    }
  };
}

function* pagesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += PAGE) yield all.slice(from, from + PAGE);
}

type ChangedAccount = ReturnType<Extract<ChangedBy<unknown>, { accountOf: unknown }>['accountOf']>;

/** Whether a block changes an account; blocks must be given in their order. */
function changesOf({ address, ticks }: ChangedAccount) {
  // The fewest that it had in a block: all that it has in each.
  let usual = ticks ? Infinity : 0;
  return ({ transactions }: Block): boolean => {
    const count = transactions.get(address) ?? 0;
    usual = Math.min(usual, count);
    return count > usual;
  };
}

export interface WorkChangesDeps {
  readonly jobs: Pick<Jobs, 'work'>;
  /** Of each kind that has `changedBy`. */
  readonly readers: ReadonlyMap<string, ChangedReader>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** How a kind of observations is read again. */
export interface ChangedReader {
  readonly observation: Pick<Observation, 'subject' | 'minAgeMs' | 'staleAfterMs'>;
  readonly reader: Pick<ObservedReader<unknown, unknown>, 'find' | 'readDerived'>;
}

/** A request soon after another read is ignored, so that it takes several. */
const WAIT_MS = 5_000;

/** Reads again what has changed, until the signal. What nobody has read before is not read. */
export function workChanges({ jobs, readers, now }: WorkChangesDeps, signal: AbortSignal): Promise<void> {
  return jobs.work({ queue: QUEUE, concurrency: 8, signal }, async ({ data }) => {
    const { kind, subject: text, seqno, after } = changed.parse(data);
    const known = readers.get(kind);
    // After an outage: it is stale, and refreshed when it is read.
    if (!known || now() - after > known.observation.staleAfterMs) return;
    const { observation, reader } = known;
    const subject = observation.subject.parse(text);
    if (!(await reader.find(subject))) return;
    await reader.readDerived(
      subject,
      {
        find: () => reader.find(subject),
        isStale: () => false,
        isCurrent: ({ at, height }) => Date.parse(at) >= after && (height ?? 0) >= seqno,
      },
      { waitMs: Math.max(WAIT_MS, 2 * observation.minAgeMs) },
    );
  });
}
