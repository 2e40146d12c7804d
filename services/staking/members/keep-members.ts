import type { Logger } from 'pino';
import {
  hasStake,
  type StakeOfMember,
  type StakingMemberSubject,
} from '../../../contracts/chain/ton-staking';
import type { TonNetwork } from '../../../contracts/network/network';
import type { ObservedReader, ObservedSubject } from '../../../contracts/observation/observation';
import type { Source } from '../../../contracts/ports/documents';
import { readUntil } from '../../read-until';
import type { RoundsDeps } from '../rounds/deps';
import { keepLooking, type Look } from '../rounds/keep-looking';
import { readParties, roundSources } from '../rounds/known-rounds';
import { readPoolBlocks, type PoolBlocks } from '../rounds/pool-blocks';

/** Documents that are looked at together. */
const PAGE = 500;
/** Members that are read at the same time: a quarter of what the source allows, so that who asks for a stake has the rest. */
const MAX_READS = 4;
/** Waits for a read: a request soon after another read is ignored, so there is a second one. Then a member is left, and read later. */
const READ_MS = [2_000, 8_000] as const;
/** Between two reads: a round lasts hours, and ten thousand members are read within minutes. */
const PAUSE_MS = 100;
/** Times that reads of a pool fail until its other members are left, and read later. */
const MAX_FAILURES = 3;

type Member = ObservedSubject<StakingMemberSubject, StakeOfMember>;

export interface KeepMembersDeps extends RoundsDeps {
  readonly members: Pick<
    ObservedReader<StakingMemberSubject, StakeOfMember>,
    'scan' | 'findMany' | 'request' | 'collection'
  >;
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
    const { blocks, sources } = await blocksOfPools(deps);
    const all = JSON.stringify([...blocks]);
    if (all === done) return { isDone: true, sources };
    const isDone = await readDueMembers(deps, blocks, signal).catch((error: unknown) => {
      onError(error);
      return false;
    });
    if (isDone) done = all;
    return { isDone, sources };
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

/** By pool, and what has to change for something new. All at once: one that has not been read yet is waited for. */
async function blocksOfPools(
  deps: KeepMembersDeps,
): Promise<{ readonly blocks: ReadonlyMap<string, PoolBlocks>; readonly sources: readonly Source[] }> {
  const pools = deps.networks.flatMap(network => deps.pools[network].map(pool => ({ network, pool })));
  const looked = (await Promise.all(pools.map(each => lookAt(deps, each)))).filter(found => found !== null);
  return {
    blocks: new Map(looked.flatMap(({ pool, blocks }) => (blocks ? [[pool, blocks] as const] : []))),
    sources: looked.flatMap(({ sources }) => sources),
  };
}

/** Null where there is no pool, or none that can be read now: the others do not wait for it. */
async function lookAt(
  deps: KeepMembersDeps,
  { network, pool }: Pick<StakingMemberSubject, 'network' | 'pool'>,
): Promise<LookedAt | null> {
  try {
    const parties = await readParties(deps, network, pool);
    if (!parties) return null;
    const of = { pool, proxy: parties.proxy };
    return {
      pool: keyOf({ network, pool }),
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
  const { views, members } = deps;
  const failures = new Map<string, number>();
  const isDue = ({ subject, observed }: Member): boolean =>
    (observed.height ?? 0) < dueBlock(observed.data, blocks.get(keyOf(subject)));
  const isLeft = ({ subject }: Member): boolean => (failures.get(keyOf(subject)) ?? 0) >= MAX_FAILURES;
  for await (const page of members.scan(PAGE)) {
    const due = page.filter(isDue);
    while (due.length > 0) {
      const together = due.splice(0, MAX_READS).filter(member => !isLeft(member));
      if (together.length === 0) continue;
      const unread = await readMembers(deps, together, isDue, signal);
      if (signal.aborted) return false;
      for (const pool of new Set(unread.map(({ subject }) => keyOf(subject))))
        failures.set(pool, (failures.get(pool) ?? 0) + 1);
      await views.waitForChange([], PAUSE_MS, signal);
    }
  }
  return failures.size === 0;
}

/** The block before which a reading is old; who has left a pool has no part in what it does. */
function dueBlock(stake: StakeOfMember, blocks: PoolBlocks | undefined): number {
  if (!blocks || !hasStake(stake)) return 0;
  const waits = stake.pendingDeposit !== '0' || stake.pendingWithdraw !== '0';
  return waits ? Math.max(blocks.round, blocks.stake) : blocks.round;
}

/** @returns those that were not read within the time */
async function readMembers(
  { members, views }: Pick<KeepMembersDeps, 'members' | 'views'>,
  due: readonly Member[],
  isDue: (member: Member) => boolean,
  signal: AbortSignal,
): Promise<readonly Member[]> {
  let unread = due;
  for (const waitMs of READ_MS) {
    const subjects = unread.map(({ subject }) => subject);
    const asked = unread;
    for (const subject of subjects) await members.request(subject);
    unread = await readUntil({
      async read() {
        const found = await members.findMany(subjects);
        return asked.filter((known, place) => isDue({ ...known, observed: found[place] ?? known.observed }));
      },
      isDone: left => left.length === 0,
      waitForChange: (timeoutMs, ended) =>
        views.waitForChange([{ collection: members.collection }], timeoutMs, ended),
      waitMs,
      signal,
    });
    if (unread.length === 0 || signal.aborted) break;
  }
  return unread;
}
