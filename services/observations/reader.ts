import { failureLevel } from '../../contracts/engine/engine-unavailable';
import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { sha256 } from '../../contracts/encoding/sha256';
import { observationKey, observationQueue, type Observation } from '../../contracts/observation/observation';
import type {
  Derived,
  Observed,
  ObservedReader,
  ReadOptions,
  WaitOptions,
} from '../../contracts/observation/reader';
import {
  ALL_NETWORKS,
  isFollowed,
  networkName,
  type FollowedNetworks,
  type NetworkRef,
} from '../../contracts/network/network';
import { networkOff } from '../../contracts/network/network-off';
import type { Jobs } from '../../contracts/ports/jobs';
import { Problem } from '../../contracts/problem/problem';
import { observedCollection } from '../../projections/observations/projection';
import {
  findManyObserved,
  findObserved,
  findPartObserved,
  observedSource,
  scanObserved,
} from '../../projections/observations/queries';
import type { Views } from '../../projections/views';
import { readUntil, type WaitLimit } from '../reads/read-until';

const ATTEMPTS = 3;
const BACKOFF_MS = 500;
const RETRY_AFTER_SECONDS = 2;

export interface ObservedReaderDeps {
  readonly views: Pick<Views, 'find' | 'get' | 'getMany' | 'scan' | 'waitForChange'>;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds to wait for an observation that is missing; default 2,500. */
  readonly waitMs?: number;
  /** Default: any number of reads may wait. */
  readonly waitLimit?: WaitLimit;
  /** True when every source of a network is known to serve another one. Default: never. */
  readonly isWrongNetwork?: (at: NetworkRef) => boolean;
  /** The networks that the instance serves; default: all. */
  readonly followed?: FollowedNetworks;
}

/** Reads the observations of a kind from the documents, and requests new ones. */
export function createObservedReader<Subject, Data>(
  observation: Observation<Subject, Data>,
  deps: ObservedReaderDeps,
): ObservedReader<Subject, Data> {
  const { views, logger, now, followed = ALL_NETWORKS } = deps;
  const { kind, staleAfterMs, source } = observation;
  /** The network of a subject where it is off. */
  const offOf = (subject: Subject): NetworkRef | null => {
    const network = source.chainOf?.(subject);
    return network && !isFollowed(followed, network) ? network : null;
  };
  const request = (subject: Subject, options?: ReadOptions) =>
    requestObservation(deps.jobs, observation, subject, options);
  const isStale = (at: string): boolean => now() - Date.parse(at) > staleAfterMs;
  const find = async (subject: Subject) =>
    offOf(subject) ? null : findObserved(views, observation, subject);
  const documents = (subject: Subject) => observedSource(observation, subject);

  const refresh = async (subject: Subject, options?: ReadOptions): Promise<void> => {
    if (offOf(subject)) return;
    await request(subject, options).catch((error: unknown) => {
      logger[failureLevel(error, 'warn')]({ kind, err: error }, 'observation could not be requested');
    });
  };

  function notReady(subject: Subject, what: string): Problem {
    const off = offOf(subject);
    if (off) return networkOff([off]);
    const at = source.chainOf?.(subject);
    if (!at || !deps.isWrongNetwork?.(at))
      return Problem.unavailable(`${what} has not been read yet; try again.`, RETRY_AFTER_SECONDS);
    return new Problem(
      'source_wrong_network',
      `${what} has not been read yet, and cannot be: no source of ${networkName(at)} serves that network.`,
      { retryAfter: RETRY_AFTER_SECONDS },
    );
  }

  async function readDerived<T>(
    subject: Subject,
    { find, isStale, isCurrent = () => true }: Derived<T>,
    { waitMs = deps.waitMs, caller }: WaitOptions = {},
  ): Promise<T | null> {
    const known = await find();
    if (offOf(subject)) return known;
    if (known !== null && isCurrent(known)) {
      if (isStale(known)) await refresh(subject, { caller });
      return known;
    }
    return readUntil({
      read: find,
      isDone: value => value !== null && isCurrent(value),
      waitForChange: (timeoutMs, signal) => views.waitForChange([documents(subject)], timeoutMs, signal),
      request: () => request(subject, { caller }),
      now,
      waitMs,
      waitLimit: deps.waitLimit,
      caller,
      subject: observationKey(kind, observation.subject.format(subject)),
    });
  }

  return {
    find,
    async findMany(subjects) {
      const found = await findManyObserved(views, observation, subjects);
      return subjects.map((subject, place) => (offOf(subject) ? null : found[place]!));
    },
    async findPart(part, limit) {
      const found = await findPartObserved(views, observation, part, limit);
      return found.filter(({ subject }) => !offOf(subject));
    },
    async *scan(limit) {
      for await (const page of scanObserved(views, observation, limit))
        yield page.filter(({ subject }) => !offOf(subject));
    },
    source: documents,
    collection: observedCollection(observation),
    request: refresh,
    notReady,
    isStale,
    readDerived,
    async read(subject, options) {
      const derived: Derived<Observed<Data>> = {
        find: () => find(subject),
        isStale: ({ at }) => isStale(at),
      };
      const found = await readDerived(subject, derived, options);
      if (!found) throw notReady(subject, kind);
      return found;
    },
  };
}

/** Known to this process alone, so that nobody can tell an address from a job. */
const PSEUDONYM_KEY = randomBytes(32);

const pseudonymOf = (caller: string): string =>
  createHmac('sha256', PSEUDONYM_KEY).update(caller).digest('base64url').slice(0, 16);

/** Ids of jobs are shorter than URLs may be that tokens name. */
const MAX_ID_CHARACTERS = 400;

const jobId = (text: string): string =>
  text.length <= MAX_ID_CHARACTERS ? text : sha256(text).toString('base64url');

/**
 * Requests a read in the queue of its source. The subject is the id of the job: a request while it is read, or sooner
 * than `minAgeMs` after, adds nothing, but that it is read with a turn of who asks now as well, where callers take turns.
 */
export async function requestObservation<Subject>(
  jobs: Pick<Jobs, 'add'>,
  { kind, source, subject: format, minAgeMs }: Observation<Subject, unknown>,
  of: Subject,
  { caller }: ReadOptions = {},
): Promise<void> {
  const subject = format.format(of);
  const id = jobId(observationKey(kind, subject));
  const data = { kind, subject };
  const job = {
    queue: observationQueue(source, of),
    attempts: ATTEMPTS,
    backoffMs: BACKOFF_MS,
    keepIdMs: minAgeMs,
  };
  if (!source.siteOf || caller === undefined) return void (await jobs.add({ ...job, id, data }));
  const asked = { ...data, caller: pseudonymOf(caller) };
  const isAdded = await jobs.add({ ...job, id, data: asked });
  if (!isAdded)
    await jobs.add({ ...job, id: jobId(`${id} ${asked.caller}`), data: { ...asked, joins: true } });
}
