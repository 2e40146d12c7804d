import { ownerShare } from './owner-share';

const TON = 1_000_000_000n;
const BALANCE = 10n ** 15n;
const before = {
  seqno: 1,
  profitPerCoin: '0',
  balance: String(BALANCE),
  sent: String(BALANCE),
  ownStake: String(10n ** 14n),
  poolFee: 1_000,
};

/** @param profit that the elector gives back beside the stake */
const after = (profit: bigint, demanded = 2n * TON) => ({ returned: BALANCE + 2n * TON + profit, demanded });

test('of a round, the share of the owner is its profit without that of its own stake', () => {
  expect(ownerShare(after(150n * TON), { before })).toEqual({
    profit: 150n * TON,
    ownerProfit: 28_500_000_000n,
    stakeProfit: 15n * TON,
    share: 13_500_000_000n,
  });
});

test('a pool without a fee leaves its owner what rounding leaves', () => {
  const free = { ...before, poolFee: 0 };
  expect(ownerShare(after(150n * TON), { before: free })?.share).toBe(0n);
  expect(ownerShare(after(7n), { before: { ...free, ownStake: '0' } })?.share).toBe(7n);
});

test('of a loss there is no fee', () => {
  expect(ownerShare(after(-7n * TON), { before })).toMatchObject({ stakeProfit: -700_000_000n, share: 0n });
});

test('an owner without a stake has the fee, also of what somebody has added to the demand', () => {
  const nothing = { ...before, ownStake: '0' };
  expect(ownerShare(after(150n * TON, 102n * TON), { before: nothing })?.share).toBe(15n * TON);
});

test('a pool in which nobody has anything has no share', () => {
  expect(ownerShare(after(1n), { before: { ...before, balance: '0' } })).toBeNull();
});
