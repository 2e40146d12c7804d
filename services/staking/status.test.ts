import type { StakingStatusObserved } from '../../contracts/chain/ton-staking-status';
import type { Observed } from '../../contracts/observation/reader';
import type { StakingDeps } from './deps';
import { createStakingStatus, missingRounds, statusOf } from './status';

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
    validatorsElectedFor: ROUND,
    electorsStartBefore: 32_768,
    electorsEndBefore: 8_192,
    stakeHeldFor: 32_768,
    minValidators: 1,
    maxValidators: 3,
    maxMainValidators: 2,
    minStake: '5',
    maxStake: '9',
    validationFrom: PRESENT,
    validationUntil: PRESENT + ROUND,
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

test('the round before the present one is not taken for another where it is missing', () => {
  const { data } = observed({ elections: [election(11, '0'), election(10, '3')] });
  expect(() => statusOf({ ...observed(), data }, [election(8, '140'), election(7, '5')], 'mainnet')).toThrow(
    expect.objectContaining({ code: 'not_ready' }) as Error,
  );
});

describe('the rounds that are missing', () => {
  const missing = (known: readonly number[]) =>
    missingRounds(
      observed().data,
      known.map(round => election(round, '1')),
    );
  const starts = (...rounds: readonly number[]) => rounds.map(round => round * ROUND);

  test.each([
    ['none', [8, 7, 6], [], []],
    ['the last but one', [7], [8], []],
    ['those between others', [8, 5, 3], [], [7, 6, 4]],
    ['none of those before the first that is known', [8], [], []],
    ['those of long ago are not looked for', [8, -90], [], [7, 6, 5, 4, 3, 2, 1, 0]],
  ])('%s', (_, known, last, older) => {
    expect(missing(known)).toEqual({ last: starts(...last), older: starts(...older) });
  });

  test('a round that began late has the one before it all the same', () => {
    expect(missing([8.5, 7.5])).toEqual({ last: [], older: [] });
    expect(missing([7.1]).last).toEqual([]);
  });

  /** What a status follows from where an election is asked for. */
  async function read(known: readonly number[], isAnswered: boolean) {
    const found = known.map(round => election(round, '1'));
    const requested: number[] = [];
    const deps = {
      status: { read: async () => observed() },
      election: {
        request: async ({ id }: { id: number }) => requested.push(id / ROUND),
        readDerived: async ({ id }: { id: number }) => isAnswered && found.push(election(id / ROUND, '1')),
      },
      views: { cached: async () => found.map(data => ({ data })) },
      now: () => 0,
    } as unknown as StakingDeps;
    const readStatus = createStakingStatus(deps);
    const caller = { ip: '192.0.2.1', appendHeader: () => undefined };
    for (let time = 0; time < 3; time++) await readStatus('mainnet', caller);
    const { electionsHistory } = await readStatus('mainnet', caller);
    return { requested, history: electionsHistory.map(({ id }) => id / ROUND) };
  }

  test('one of the last two is waited for', async () => {
    expect(await read([7], true)).toEqual({ requested: [], history: [11, 10, 9, 8, 7] });
    await expect(read([7], false)).rejects.toMatchObject({ code: 'not_ready' });
  });

  test('those of before are asked for once, and are no reason to wait', async () => {
    expect(await read([8, 5], false)).toEqual({ requested: [7, 6], history: [11, 10, 9, 8, 5] });
  });
});

describe('a round that is over by now', () => {
  const END = (PRESENT + ROUND) * 1_000;
  const AT = new Date(END - 60_000).toISOString();
  const next = {
    validationFrom: PRESENT + ROUND,
    validationUntil: PRESENT + 2 * ROUND,
    elections: [election(11, '0'), election(10, '140')],
  };

  /** What is served at an instant, where a reading of before is stored. */
  async function servedAt(now: number, { stored = AT, newer = true } = {}) {
    const waited = jest.fn(async () => (newer ? { ...observed(next), height: 8 } : null));
    const deps = {
      status: {
        read: async () => ({ ...observed(), at: stored }),
        find: async () => null,
        isStale: () => true,
        readDerived: waited,
      },
      election: { request: async () => undefined },
      views: { cached: async () => [election(9, '150'), election(8, '140')].map(data => ({ data })) },
      now: () => now,
    } as unknown as StakingDeps;
    const caller = { ip: '192.0.2.1', appendHeader: () => undefined };
    return { ...(await createStakingStatus(deps)('mainnet', caller)), waited };
  }

  test('is not served before the next one was waited for', async () => {
    expect((await servedAt(END - 1)).waited).not.toHaveBeenCalled();
    expect(await servedAt(END)).toMatchObject({ validationFrom: PRESENT + ROUND, seqno: 8 });
  });

  test.each([
    ['cannot be read within the wait', { newer: false }],
    ['has not begun, as the elector said since', { stored: new Date(END).toISOString() }],
  ])('is served with its age while the next one %s', async (_, of) => {
    expect(await servedAt(END + 1, of)).toMatchObject({ validationFrom: PRESENT, seqno: 7 });
  });
});
