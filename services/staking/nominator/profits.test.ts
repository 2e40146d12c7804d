import type { StakeOfMember } from '../../../contracts/chain/ton-staking';
import type { Movement } from './movements';
import { profitSince, profitsOf, type StakeAfterRound } from './profits';

const stake = (balance: number, of: Partial<StakeOfMember> = {}): StakeOfMember => ({
  balance: String(balance),
  pendingDeposit: '0',
  pendingWithdraw: '0',
  withdraw: '0',
  ...of,
});
const moved = (type: Movement['type'], poolLt: number, amount: number): Movement => ({
  type,
  trigger: 'payload',
  time: poolLt,
  poolLt: BigInt(poolLt),
  amount: BigInt(amount),
});
const after = (poolLt: number, of: StakeOfMember | null): StakeAfterRound => ({
  round: poolLt - 5,
  time: poolLt,
  seqno: poolLt,
  poolLt: BigInt(poolLt),
  stake: of,
});

const MOVEMENTS = [moved('deposit', 10, 1_000), moved('withdraw', 30, 400), moved('deposit', 50, 50)];
const ROUNDS = [
  after(20, stake(1_100)),
  after(40, stake(690, { withdraw: '30' })),
  after(60, stake(765, { pendingDeposit: '9' })),
];
const NOW = stake(780, { pendingDeposit: '9', pendingWithdraw: '5' });

test('a profit is what is there and was paid beyond what was deposited, after each round and in all', () => {
  const profits = profitsOf(NOW, MOVEMENTS, ROUNDS);
  expect(profits).toMatchObject({ total: 139n, deposited: 1_050n, withdrawn: 400n });
  expect(profits.rounds.map(({ amount, rounds, time }) => [time, amount, rounds])).toEqual([
    [20, 100n, 1],
    [40, 20n, 1],
    [60, 4n, 1],
  ]);
});

test('a loss is a profit below zero, and later profits make up for it', () => {
  const rounds = [after(20, stake(900)), after(30, stake(950))];
  const profits = profitsOf(stake(950), MOVEMENTS.slice(0, 1), rounds);
  expect(profits.rounds.map(({ amount }) => amount)).toEqual([-100n, 50n]);
  expect([profits.total, profitSince(profits, rounds, 25)]).toEqual([-50n, 50n]);
});

test('a round that could not be read is in the profit of the next one', () => {
  const rounds = [after(20, null), ...ROUNDS.slice(1)];
  const profits = profitsOf(NOW, MOVEMENTS, rounds);
  expect(profits.rounds.map(({ amount, rounds: of }) => [amount, of])).toEqual([
    [120n, 2],
    [4n, 1],
  ]);
});

test.each([
  ['before the first round is the whole profit', 15, 139n],
  ['counts from the end of the last round before it', 50, 19n],
  ['counts a round that ends at its beginning', 40, 39n],
])('a period that begins %s', (_, since, expected) => {
  const profits = profitsOf(NOW, MOVEMENTS, ROUNDS);
  expect(profitSince(profits, ROUNDS, since)).toBe(expected);
});

test('a period has no profit where the round before it could not be read', () => {
  const rounds = [ROUNDS[0]!, after(40, null), ROUNDS[2]!];
  const profits = profitsOf(NOW, MOVEMENTS, rounds);
  expect(profitSince(profits, rounds, 50)).toBeNull();
  expect(profitSince(profits, rounds, 30)).toBe(39n);
});
