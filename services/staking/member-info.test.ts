import { NO_STAKE, type StakeOfMember } from '../../contracts/chain/ton-staking';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import type { Derived, Observed } from '../../contracts/observation/reader';
import type { StakingDeps } from './deps';
import { createMemberInfo } from './member-info';

const [POOL] = NOMINATOR_POOLS.testnet as [string];
const FORM = 'as it was asked for';
const MEMBER = `0:${'1'.repeat(64)}`;
const caller = { ip: '192.0.2.1', appendHeader: () => undefined };

const at = (height: number, balance: string): Observed<StakeOfMember> => ({
  height,
  at: '2026-01-01T00:00:00.000Z',
  data: { ...NO_STAKE, balance },
});

/** Reads with doubles: what is stored, the blocks after rounds of the pool, and what is stored after a wait. */
function reading(stored: Observed<StakeOfMember>, rounds: readonly (number | null)[], afterWait = stored) {
  // Whether it is current or not: the wait has an end.
  const waited = jest.fn(async (_subject: unknown, _derived: Derived<Observed<StakeOfMember>>) => afterWait);
  const deps = {
    views: { cached: (_of: unknown, compute: () => unknown) => compute() },
    transactions: { sources: () => [], page: async () => ({ transactions: [] }) },
    members: {
      collection: 'members',
      findPart: async () => [{ subject: { pool: POOL }, observed: stored }],
      isStale: () => false,
      readDerived: waited,
    },
    rounds: {
      collection: 'rounds',
      findPart: async () =>
        rounds.map(seqno => ({ observed: { data: seqno === null ? null : { after: { seqno } } } })),
    },
    pools: { mainnet: [], testnet: [POOL] },
    now: Date.now,
  } as unknown as StakingDeps;
  const account = { chain: 'ton', network: 'testnet', address: MEMBER } as const;
  const memberInfo = createMemberInfo(deps);
  return { read: async () => (await memberInfo(account, [[FORM, POOL]], caller))[FORM]!, waited };
}

test('a stake that is older than the newest round of the pool is not served before a new one was waited for', async () => {
  const { read, waited } = reading(at(19, '5'), [10, 20], at(21, '6'));
  expect((await read()).balance).toBe('6');
  const [[, { isCurrent }]] = waited.mock.calls as [Parameters<typeof waited>];
  expect([19, 20].map(height => isCurrent!(at(height, '5')))).toEqual([false, true]);
});

test('what cannot be read again within the wait is served with its age', async () => {
  expect(await reading(at(19, '5'), [20]).read()).toMatchObject({ seqno: 19, balance: '5' });
});

test.each([
  ['one that was read since', at(20, '5'), [10, 20]],
  ['a pool without rounds', at(1, '5'), []],
  ['a round of which the nodes had no block', at(1, '5'), [null]],
  ['who has nothing there', at(1, '0'), [20]],
])('nothing is waited for: %s', async (_, stored, rounds) => {
  const { read, waited } = reading(stored, rounds);
  expect(await read()).toEqual({ ...stored.data, seqno: stored.height, at: stored.at });
  expect(waited).not.toHaveBeenCalled();
});
