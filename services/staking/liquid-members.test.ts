import type { LiquidMemberObserved } from '../../contracts/chain/ton-liquid-staking';
import { LIQUID_STAKING_POOLS } from '../../contracts/chain/ton-verified-contracts';
import type { Observed } from '../../contracts/observation/reader';
import { Problem } from '../../contracts/problem/problem';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createLiquidMemberReads } from './liquid-members';
import type { StakingDeps } from './deps';

const POOL = LIQUID_STAKING_POOLS.testnet;
const OWNER = `0:${'1'.repeat(64)}`;
const WALLET = `0:${'2'.repeat(64)}`;
const STAKE = { balance: '5', code: '', pendingWithdrawals: {} };
const caller = { ip: '192.0.2.1', appendHeader: () => undefined };

const at = (height: number, stake: LiquidMemberObserved['stake']): Observed<LiquidMemberObserved> => ({
  height,
  at: '2026-01-01T00:00:00.000Z',
  data: { wallet: WALLET, stake },
});

interface Known {
  readonly stored?: Observed<LiquidMemberObserved>;
  readonly unread?: Observed<LiquidMemberObserved>;
  /** What there is after the wait; default: what was stored. */
  readonly afterWait?: Observed<LiquidMemberObserved>;
  /** Block of the last transaction of the account, and with whom it was. */
  readonly last?: readonly [seqno: number, party: string];
}

/** Reads with doubles of what is known. */
function reading({ stored, unread, afterWait, last }: Known) {
  const requested = jest.fn(async () => undefined);
  const readUnread = jest.fn(async () => unread!);
  const waited = jest.fn(async () => afterWait ?? stored ?? null);
  const message = last && { info: { type: 'internal', src: OWNER, dest: last[1] } };
  const transaction = last && {
    seqno: last[0],
    decoded: () => ({ inMessage: null, outMessages: [message] }),
  };
  const deps = {
    views: { cached: (_of: unknown, compute: () => unknown) => compute() },
    transactions: {
      sources: () => [],
      page: async () => ({ transactions: transaction ? [transaction] : [] }),
    },
    liquidMembers: {
      find: async () => stored ?? null,
      isStale: () => false,
      request: requested,
      readDerived: waited,
      notReady: () => Problem.unavailable('not read', 2),
    },
    unreadLiquidMember: { read: readUnread },
    limits: async () => NO_LIMITS,
    now: Date.now,
  } as unknown as StakingDeps;
  const read = () =>
    createLiquidMemberReads(deps)({ chain: 'ton', network: 'testnet', address: OWNER }, caller);
  return { read, requested, readUnread, waited };
}

test('a member is stored once it has a wallet, and somebody without one is not', async () => {
  const member = reading({ unread: at(7, STAKE) });
  expect((await member.read()).data.stake).toEqual(STAKE);
  expect(member.requested).toHaveBeenCalledTimes(1);
  const nobody = reading({ unread: at(7, null) });
  expect((await nobody.read()).data.stake).toBeNull();
  expect(nobody.requested).not.toHaveBeenCalled();
});

test('what is stored is served without a read', async () => {
  const { read, readUnread, waited } = reading({ stored: at(7, STAKE), last: [7, POOL] });
  expect((await read()).height).toBe(7);
  expect(readUnread).not.toHaveBeenCalled();
  expect(waited).not.toHaveBeenCalled();
});

test.each([
  ['the pool', POOL],
  ['its wallet', WALLET],
])('what is older than a transaction with %s is waited for', async (_, party) => {
  const changed = { ...STAKE, balance: '6' };
  const { read } = reading({ stored: at(7, STAKE), last: [9, party], afterWait: at(9, changed) });
  expect((await read()).data.stake).toEqual(changed);
  const unstored = reading({ unread: at(7, null), last: [9, party], afterWait: at(9, changed) });
  expect((await unstored.read()).data.stake).toEqual(changed);
});

test('a transaction with somebody else is not waited for', async () => {
  const { read, waited } = reading({ unread: at(7, null), last: [9, OWNER] });
  expect((await read()).data.stake).toBeNull();
  expect(waited).not.toHaveBeenCalled();
});

test('after the wait a stake is served with its age, but nobody who may have just staked is nobody', async () => {
  expect((await reading({ stored: at(7, STAKE), last: [9, POOL] }).read()).height).toBe(7);
  const maybe = reading({ unread: at(7, null), last: [9, POOL] });
  await expect(maybe.read()).rejects.toMatchObject({ code: 'not_ready' });
  const not = reading({ unread: at(7, null), last: [9, POOL], afterWait: at(9, null) });
  expect((await not.read()).data.stake).toBeNull();
});
