import { addProfit, floorDivide, profitForCoin, roundProfit } from './round-profit';

const BALANCE = 10n ** 15n;
const FEE = 1_000;
const TON = 1_000_000_000n;

test('a profit is shared by each coin after the fee, and two of them compound', () => {
  const perCoin = profitForCoin(150n * TON, BALANCE, FEE);
  expect(perCoin).toBe(1_350_000_000n);
  expect(addProfit(addProfit(0n, perCoin), perCoin)).toBe(2_700_182_250n);
});

test('a loss has no fee, and is rounded down', () => {
  expect(profitForCoin(-7n * TON, BALANCE, FEE)).toBe(-70_000_000n);
  expect(profitForCoin(-1n, 3n * 10n ** 13n, FEE)).toBe(-1n);
  expect([floorDivide(7n, 2n), floorDivide(-7n, 2n), floorDivide(-8n, 2n)]).toEqual([3n, -4n, -4n]);
});

const before = {
  seqno: 1,
  profitPerCoin: '0',
  balance: String(BALANCE),
  ownStake: '0',
  poolFee: FEE,
  sent: String(BALANCE - 500n * TON),
};

test('the profit of a round is what came back beyond the stake and what the demand costs', () => {
  const returned = BALANCE - 500n * TON + 2n * TON + 150n * TON;
  const demanded = 1_980_000_000n;
  expect(roundProfit({ returned, demanded }, { before })).toEqual({
    profit: 150n * TON,
    surplus: 0n,
    perCoin: 1_350_000_000n,
  });
});

test('what somebody adds to the demand is a profit, and no yield', () => {
  const returned = BALANCE - 500n * TON + 2n * TON + 150n * TON + 1_000n * TON;
  expect(roundProfit({ returned, demanded: 1_002n * TON }, { before })).toEqual({
    profit: 1_150n * TON,
    surplus: 1_000n * TON,
    perCoin: 1_350_000_000n,
  });
});

test('a pool in which nobody has anything has no profit', () => {
  expect(roundProfit({ returned: 1n, demanded: null }, { before: { ...before, balance: '0' } })).toBeNull();
});
