import type { StakingStatusObserved } from '../../contracts/chain/ton-staking-status';
import type { Observed } from '../../contracts/observation/observation';
import { statusOf } from './status';

const ROUND = 65_536;
const PRESENT = 10 * ROUND;

const election = (round: number, bonuses: string, totalStake = '1000000') => ({
  id: round * ROUND,
  unfreezeAt: (round + 1) * ROUND,
  stakeHeld: 32_768,
  bonuses,
  totalStake,
});

const observed = (change: Partial<StakingStatusObserved> = {}): Observed<StakingStatusObserved> => ({
  height: 7,
  at: '2026-01-01T00:00:00.000Z',
  data: {
    ...{
      validatorsElectedFor: ROUND,
      electorsStartBefore: 32_768,
      electorsEndBefore: 8_192,
      stakeHeldFor: 32_768,
    },
    ...{ minValidators: 1, maxValidators: 3, maxMainValidators: 2, minStake: '5', maxStake: '9' },
    ...{ validationFrom: PRESENT, validationUntil: PRESENT + ROUND },
    validators: [{ key: 0, weight: '1', address: `-1:${'1'.repeat(64)}`, stake: '6', adnl: null }],
    electionEntities: [],
    elections: [election(11, '0'), election(10, '3'), election(9, '150')],
    ...change,
  },
});

/** As the wallet app computes what it shows: of the two newest rounds that have ended, in percent. */
function shownYields(status: ReturnType<typeof statusOf>): string[] {
  const ended = status.electionsHistory.filter(({ id }) => id * 1_000 < status.startWorkTime);
  return [0, 1].map(place => {
    const { bonuses, totalStake } = ended[place]!;
    const cycles = Math.floor(31_536_000_000 / (2 * status.validatorsElectedFor));
    const rate = Math.floor((Number(bonuses) * 1e6) / Number(totalStake)) / 1e6;
    return (((1 + rate) ** cycles - 1) * 100).toFixed(5);
  });
}

test('wallets compute the yields of the last two rounds from it', () => {
  const status = statusOf(observed(), [election(8, '140')], 'mainnet');
  expect(shownYields(status)).toEqual(['3.66530', '3.41684']);
});

test('a round that the elector still holds is as it says now, not as it was observed', () => {
  const status = statusOf(observed(), [election(9, '1'), election(8, '140')], 'mainnet');
  expect(status.electionsHistory.map(({ id, bonuses }) => [id / ROUND, bonuses])).toEqual([
    [11, '0'],
    [10, '3'],
    [9, '150'],
    [8, '140'],
  ]);
});

test.each([
  ['is not known', []],
  ['had no stakes, by which wallets divide', [election(8, '0', '0')]],
])('there is none while the last round but one %s', (_, known) => {
  expect(() => statusOf(observed(), known, 'mainnet')).toThrow(
    expect.objectContaining({ code: 'not_ready' }) as Error,
  );
});

test('there is none without the election of the present round', () => {
  const without = observed({ elections: [election(11, '0'), election(9, '150')] });
  expect(() => statusOf(without, [election(8, '140')], 'mainnet')).toThrow('known');
});
