import type { Logger } from 'pino';
import {
  hasStake,
  type StakeOfMember,
  type StakingMemberSubject,
} from '../../../contracts/chain/ton-staking';
import type { TonNetwork } from '../../../contracts/network/network';
import type {
  BatchReader,
  BatchReadOptions,
  ObservedReader,
  ObservedSubject,
} from '../../../contracts/observation/reader';
import type { Source } from '../../../contracts/ports/documents';
import type { RoundsDeps } from '../rounds/deps';
import { keepLooking, type Look } from '../../reads/keep-looking';
import { readParties, roundSources } from '../rounds/known-rounds';
import { readPoolBlocks, type PoolBlocks } from '../rounds/pool-blocks';

/** Documents that are looked at together. */
const PAGE = 500;
/** Members that are read and published together: a commit of the log and of the documents for each alone delays calls. */
const BATCH = 200;
/** Twenty reads a second of nodes that answer within 200 ms: a round lasts hours, and ten thousand members are read within minutes. */
const PACE = { maxConcurrent: 4, pauseMs: 50 } as const;
/** Between two looks whether what was read is in the documents, and how many there are. */
const PROJECTED_MS = 500;
const MAX_LOOKS = 60;
/** Reads of a pool that fail until its other members are left, and read later. */
const MAX_FAILURES = 3;

type Member = ObservedSubject<StakingMemberSubject, StakeOfMember>;

export interface KeepMembersDeps extends RoundsDeps {
  readonly members: Pick<
    ObservedReader<StakingMemberSubject, StakeOfMember>,
    'scan' | 'findMany' | 'collection'
  >;
  readonly batches: BatchReader<StakingMemberSubject>;
  readonly networks: readonly TonNetwork[];
  readonly logger: Logger;
}

/**
 * Has the known members of the followed pools read again, whether anyone asks for them or not: once after each round, and those who
 * wait for something once more when the pool has staked again. What was read already is not read again after a restart. Until the
 * signal.
 */
export async function keepMembers(deps: KeepMembersDeps, signal: AbortSignal): Promise<void> {
  const onError = (error: unknown): void =>
    deps.logger.debug({ err: error }, 'members of staking pools not read');
  /** The blocks after which all members were read. */
  let done = '';
  async function look(): Promise<Look> {
    const { blocks, sources, isComplete } = await blocksOfPools(deps);
    const all = JSON.stringify([...blocks]);
    if (all === done) return { isDone: isComplete, sources };
    const isDone = await readDueMembers(deps, blocks, signal).catch((error: unknown) => {
      onError(error);
      return false;
    });
    if (isDone) done = all;
    return { isDone: isDone && isComplete, sources };
  }
  await keepLooking(deps.views, look, onError, signal);
}

const keyOf = ({ network, pool }: Pick<StakingMemberSubject, 'network' | 'pool'>): string =>
  `${network}:${pool}`;

interface LookedAt {
  readonly pool: string;
  readonly blocks: PoolBlocks | null;
  readonly sources: readonly Source[];
}

interface BlocksOfPools {
  readonly blocks: ReadonlyMap<string, PoolBlocks>;
  /** What has to change for something new. */
  readonly sources: readonly Source[];
  /** Whether each pool could be read. */
  readonly isComplete: boolean;
}

/** All at once: one that has not been read yet is waited for. */
async function blocksOfPools(deps: KeepMembersDeps): Promise<BlocksOfPools> {
  const pools = deps.networks.flatMap(network => deps.pools[network].map(pool => ({ network, pool })));
  const looked = (await Promise.all(pools.map(each => lookAt(deps, each)))).filter(found => found !== null);
  return {
    isComplete: looked.length === pools.length,
    blocks: new Map(looked.flatMap(({ pool, blocks }) => (blocks ? [[pool, blocks] as const] : []))),
    sources: looked.flatMap(({ sources }) => sources),
  };
}

/** Null for a pool that cannot be read now: the others do not wait for it. */
async function lookAt(
  deps: KeepMembersDeps,
  { network, pool }: Pick<StakingMemberSubject, 'network' | 'pool'>,
): Promise<LookedAt | null> {
  try {
    const parties = await readParties(deps, network, pool);
    const key = keyOf({ network, pool });
    // There is no pool.
    if (!parties) return { pool: key, blocks: null, sources: [] };
    const of = { pool, proxy: parties.proxy };
    return {
      pool: key,
      blocks: await readPoolBlocks(deps, network, of),
      sources: roundSources(deps, network, of),
    };
  } catch (error) {
    deps.logger.debug({ err: error, network, pool }, 'rounds of a staking pool not known');
    return null;
  }
}

/** @returns whether all were read */
async function readDueMembers(
  deps: KeepMembersDeps,
  blocks: ReadonlyMap<string, PoolBlocks>,
  signal: AbortSignal,
): Promise<boolean> {
  const failures = new Map<string, number>();
  const isDue = ({ subject, observed }: Member): boolean =>
    (observed.height ?? 0) < dueBlock(observed.data, blocks.get(keyOf(subject)));
  for await (const page of deps.members.scan(PAGE)) {
    for (const [pool, due] of byPool(page.filter(isDue))) {
      while (due.length > 0) {
        const failed = failures.get(pool) ?? 0;
        if (failed >= MAX_FAILURES) break;
        const options = { ...PACE, maxFailures: MAX_FAILURES - failed, signal };
        const unread = await readMembers(deps, due.splice(0, BATCH), isDue, options);
        if (signal.aborted) return false;
        if (unread > 0) failures.set(pool, failed + unread);
      }
    }
  }
  return failures.size === 0;
}

function byPool(members: readonly Member[]): Map<string, Member[]> {
  const pools = new Map<string, Member[]>();
  for (const member of members) {
    const key = keyOf(member.subject);
    pools.set(key, [...(pools.get(key) ?? []), member]);
  }
  return pools;
}

/** The block before which a reading is old; who has left a pool has no part in what it does. */
function dueBlock(stake: StakeOfMember, blocks: PoolBlocks | undefined): number {
  if (!blocks || !hasStake(stake)) return 0;
  const waits = stake.pendingDeposit !== '0' || stake.pendingWithdraw !== '0';
  return waits ? Math.max(blocks.round, blocks.stake) : blocks.round;
}

/** @returns how many are still as old as before */
async function readMembers(
  deps: Pick<KeepMembersDeps, 'members' | 'batches' | 'views'>,
  due: readonly Member[],
  isDue: (member: Member) => boolean,
  options: BatchReadOptions,
): Promise<number> {
  const subjects = due.map(({ subject }) => subject);
  const unread = new Set(await deps.batches.readBatch(subjects, options));
  const read = due.filter(({ subject }) => !unread.has(subject));
  const old = (await projected(deps, read, options.signal)).filter(isDue);
  return unread.size + old.length;
}

/** Members as they are in the documents once these have what was read: otherwise the next look would find them as they were. */
async function projected(
  { members, views }: Pick<KeepMembersDeps, 'members' | 'views'>,
  read: readonly Member[],
  signal: AbortSignal,
): Promise<readonly Member[]> {
  const subjects = read.map(({ subject }) => subject);
  let now = read;
  const areThere = (): boolean =>
    now.every(({ observed }, place) => observed.at !== read[place]!.observed.at);
  for (let looks = 0; !areThere() && looks < MAX_LOOKS && !signal.aborted; looks += 1) {
    // Not at every change: the members of a batch are many changes.
    await views.waitForChange([], PROJECTED_MS, signal);
    const found = await members.findMany(subjects);
    now = read.map((member, place) => ({ ...member, observed: found[place] ?? member.observed }));
  }
  return now;
}
