import type { LiquidPool } from '../../contracts/chain/ton-liquid-staking';
import type { StakingDeps } from './deps';
import { liquidPoolInfo, readLiquidPool } from './liquid-pool';

const AT = '2026-01-01T00:00:00.000Z';
/** A round of validators of the mainnet, and how long before its end elections start. */
const [ROUND, OPEN] = [65_536, 32_768];
const FROM = 1_000_000_000;

const pool: LiquidPool = {
  rateDeposit: '950000000',
  rateWithdraw: '1052631578',
  roundId: 105,
  enabled: true,
  upgradable: false,
  minStake: '49800000000',
  poolFee: 1_000,
  depositFee: '100000000',
  withdrawFee: '200000000',
  receiptPrice: '300000000',
  minterSupply: '950',
  totalBalance: '1000',
  totalSent: '500',
  totalPendingWithdraw: '3',
  totalBalanceWithdraw: '4',
  proxyZeroStakeUntil: FROM + 20,
  proxyOneStakeUntil: FROM + 10,
  time: FROM,
  validationFrom: FROM,
  validatorsElectedFor: ROUND,
  electorsStartBefore: OPEN,
};

/** The info that is served so many seconds after the reading. */
const infoAfter = (seconds: number, change: Partial<LiquidPool> = {}) =>
  liquidPoolInfo(
    { height: 7, at: AT, data: { ...pool, ...change } },
    'mainnet',
    Date.parse(AT) + seconds * 1_000,
  )!;

test('has what wallets read, and the smaller of the two ends of stakes', () => {
  expect(infoAfter(0)).toEqual({
    rateDeposit: '950000000',
    rateWithdraw: '1052631578',
    roundId: 105,
    extras: {
      minStake: '49800000000',
      depositFee: '100000000',
      withdrawFee: '200000000',
      receiptPrice: '300000000',
      address: 'EQB0SoxuGDx5qjVt0P_bPICFeWdFLBmVopHhjgfs0q-wsTON',
      enabled: true,
      upgradable: false,
      poolFee: 1_000,
      roundEnd: FROM + ROUND - OPEN,
      proxyZeroStakeUntil: FROM + 20,
      proxyOneStakeUntil: FROM + 10,
      proxyStakeUntil: FROM + 10,
    },
    balances: {
      minterSupply: '950',
      totalBalance: '1000',
      totalSent: '500',
      totalPendingWithdraw: '3',
      totalBalanceWithdraw: '4',
    },
    seqno: 7,
    at: AT,
  });
});

test.each([
  ['before the next election opens', ROUND - OPEN - 1, ROUND - OPEN],
  ['once it has opened', ROUND - OPEN, 2 * ROUND - OPEN],
  ['where the reading is rounds old', 10 * ROUND, 11 * ROUND - OPEN],
])('the round ends when the next election opens, which is never in the past: %s', (_, elapsed, end) => {
  expect(infoAfter(elapsed).extras.roundEnd).toBe(FROM + end);
});

test('the clock of the chain counts, also where it is ahead', () => {
  const { roundEnd } = infoAfter(1, { time: FROM + 5 * ROUND - OPEN - 1 }).extras;
  expect(roundEnd).toBe(FROM + 6 * ROUND - OPEN);
});

test('the address of the testnet is test-only', () => {
  const info = liquidPoolInfo({ height: 7, at: AT, data: pool }, 'testnet', Date.parse(AT));
  expect(info!.extras.address).toBe('kQCSJnVYculwsyLUx_VT3qbIeYUs-nwfPsXjfo9VLYlIQuiD');
});

test('there is none where the network has no pool', () => {
  expect(liquidPoolInfo({ height: 7, at: AT, data: null }, 'mainnet', Date.parse(AT))).toBeNull();
});

/** What is served so many seconds after the reading, while the pool is in the next round by then. */
async function servedAfter(seconds: number, isAnswering = true) {
  const at = new Date(Date.parse(AT) + seconds * 1_000);
  const next = { height: 8, at: at.toISOString(), data: { ...pool, roundId: 106, time: FROM + seconds } };
  const waited = jest.fn(async () => (isAnswering ? next : null));
  const liquidPool = {
    read: async () => ({ height: 7, at: AT, data: pool }),
    find: async () => null,
    isStale: () => true,
    readDerived: waited,
  } as unknown as StakingDeps['liquidPool'];
  const caller = { ip: '192.0.2.1', appendHeader: () => undefined };
  const info = await readLiquidPool({ liquidPool, now: () => at.getTime() }, 'mainnet', caller);
  return { ...info!, waited };
}

test('the round and its end are of the same round: once it has ended a read waits for the next one', async () => {
  const before = await servedAfter(ROUND - OPEN - 1);
  expect([before.roundId, before.extras.roundEnd]).toEqual([105, FROM + ROUND - OPEN]);
  expect(before.waited).not.toHaveBeenCalled();
  const after = await servedAfter(ROUND - OPEN);
  expect([after.roundId, after.extras.roundEnd]).toEqual([106, FROM + 2 * ROUND - OPEN]);
});

test('a pool that does not answer within the wait is as it said last, with its age', async () => {
  expect(await servedAfter(ROUND, false)).toMatchObject({ roundId: 105, seqno: 7, at: AT });
});
