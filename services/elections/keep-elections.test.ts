import { pino } from 'pino';
import type { TonElection } from '../../contracts/chain/ton-elections';
import type { Observed } from '../../contracts/observation/reader';
import type { ElectionsDeps } from './routes';
import { observeElections } from './keep-elections';

const [ROUND, HELD] = [65_536, 32_768];
const NOW = 1_760_448_264;
/** Of a round that began so many rounds before the present one. */
const electionOf = (rounds: number, bonuses = '7'): TonElection => {
  const id = NOW - rounds * ROUND;
  return { id, unfreezeAt: id + ROUND + HELD, stakeHeld: HELD, totalStake: '1000', bonuses };
};
/** As it was read so many seconds after its round. */
const readAfter = (data: TonElection, seconds: number): Observed<TonElection> => ({
  height: 7,
  data,
  at: new Date((data.unfreezeAt - data.stakeHeld + seconds) * 1_000).toISOString(),
});

/** The elections that are requested, counted in rounds before the present one. */
async function requested(listed: readonly TonElection[], stored: readonly Observed<TonElection>[]) {
  const rounds: number[] = [];
  const list = { elections: listed, openElection: null, roundStart: NOW, roundSeconds: ROUND };
  const deps = {
    elections: { read: async () => ({ height: 8, at: '', data: list }) },
    election: {
      find: async ({ id }: { id: number }) => stored.find(({ data }) => data.id === id) ?? null,
      request: async ({ id }: { id: number }) => void rounds.push((NOW - id) / ROUND),
    },
    views: { cached: async () => stored },
  } as unknown as ElectionsDeps;
  await observeElections({ ...deps, logger: pino({ level: 'silent' }) }, 'mainnet');
  return rounds;
}

test('what the elector lists after its round is read once, and again where it was read otherwise', async () => {
  const listed = [electionOf(2), electionOf(1), electionOf(0)];
  expect(await requested(listed, [])).toEqual([2, 1]);
  expect(await requested(listed, [readAfter(electionOf(2), 60), readAfter(electionOf(1, '6'), -60)])).toEqual(
    [1],
  );
});

test('what the elector has forgotten is read again where its round may not have been over when it was read', async () => {
  const stored = [
    readAfter(electionOf(3, '6'), -1),
    readAfter(electionOf(4, '6'), 60),
    readAfter(electionOf(5), 3_600),
  ];
  expect(await requested([electionOf(0)], stored)).toEqual([3, 4]);
});
