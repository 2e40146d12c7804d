import type { ApyOfRound, NominatorAnswer } from '../../../../contracts/http/staking/indexer';
import { explainMember, explainRound } from './explain';

const ROUND: ApyOfRound = {
  poolApy: '3.29283',
  globalApy: '3.66530',
  time: '2026-01-02T00:00:00.000Z',
  round: 7,
  before: {
    seqno: 10,
    profitPerCoin: '0',
    balance: '1000000000000000',
    ownStake: '0',
    sent: '999000000000000',
    poolFee: 1_000,
  },
  after: { seqno: 11, profitPerCoin: '1350000000', balance: '1000150000000000', lt: '5' },
  election: { seqno: 10, totalStake: '1000000', bonuses: '150', electedFor: 65_536 },
  profit: '151000000000',
  surplus: '1000000000',
  perCoin: '1350000000',
  missedRounds: 2,
  formula: { poolApy: '', globalApy: '' },
};

test('a round is explained by formulas that give its numbers', () => {
  const lines = explainRound(ROUND);
  const [, share, sum] = /floor\((.*)\) = (\d+) of/.exec(lines.join('\n'))!;
  expect(share).toBe('150000000000 * 10^13 * (10000 - 1000) / (1000000000000000 * 10000)');
  expect((150_000_000_000n * 10n ** 13n * 9_000n) / (10n ** 15n * 10_000n)).toBe(BigInt(sum!));
  expect(lines.join('\n')).toMatch(/poolApy: .*\^ floor\(31536000 \/ \(2 \* 65536\)\).* = 3\.29283/);
  expect(lines.at(-1)).toContain('2 rounds before');
});

test('the profit of a member is explained by a sum that gives it', () => {
  const time = '2026-01-02T00:00:00.000Z';
  const member: NominatorAnswer = {
    profitAmount: '139',
    totalDepositAmount: '1050',
    totalWithdrawAmount: '400',
    profitByTimespan: '139',
    deposits: [{ amount: '1050', time, trigger: 'comment' }],
    withdraws: [{ amount: '400', time, trigger: 'payload' }],
    profits: [{ amount: '139', time, round: 7, seqno: 9, rounds: 3 }],
    roundsKnownSince: time,
    balance: '780',
    pendingDeposit: '9',
    pendingWithdraw: '0',
    withdraw: '0',
    seqno: 12,
    at: time,
    formula: '',
  };
  const lines = explainMember(member).join('\n');
  expect(lines).toContain('780 + 0 + 9 + 400 - 1050 = 139');
  expect(lines).toContain(`${time}  -400  by payload`);
  expect(lines).toContain('round 7, block 9, with 2 before it');
});
