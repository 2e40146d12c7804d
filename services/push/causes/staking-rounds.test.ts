import type { PoolRoundObserved, PoolRoundSubject } from '../../../contracts/chain/ton-staking';
import { OBSERVATIONS_TOPIC } from '../../../contracts/observation/observation';
import type { LogMessage } from '../../../contracts/ports/log';
import { MAX_CAUSE_AGE_MS } from './reactions';
import { stakingRounds } from './staking-rounds';

const POOL = `0:${'9'.repeat(64)}`;
const ENDED = 1_795_000_000;
const NOW = new Date((ENDED + 60) * 1_000);

/** A double of the observation: its subjects are JSON. */
const observation = {
  kind: 'ton.staking.round',
  subject: {
    format: (subject: PoolRoundSubject) => JSON.stringify(subject),
    parse: (text: string) => JSON.parse(text) as PoolRoundSubject,
  },
};
const funds = { profitPerCoin: '0', balance: '10' };
const round: PoolRoundObserved = {
  round: 1_794_900_000,
  before: { ...funds, seqno: 6, ownStake: '0', sent: '10', poolFee: 1_000 },
  after: { ...funds, seqno: 7, lt: '5' },
  election: null,
};

const observed = (data: PoolRoundObserved, { time = ENDED, hash = 'aa', kind = observation.kind } = {}) =>
  ({
    topic: OBSERVATIONS_TOPIC.name,
    key: `${kind}/${JSON.stringify({ network: 'mainnet', pool: POOL, lt: '4', time, hash })}`,
    value: Buffer.from(JSON.stringify({ kind, at: NOW.toISOString(), height: 7, data })),
    partition: 0,
    offset: 0,
    timestamp: 0,
    headers: {},
  }) as unknown as LogMessage;

const jobsOf = async (message: LogMessage) => stakingRounds(observation, () => NOW).jobs(message);

it('the end of a round is a job that names the block after it', async () => {
  const at = new Date(ENDED * 1_000).toISOString();
  expect(await jobsOf(observed(round))).toMatchObject([
    { data: { network: 'mainnet', pool: POOL, round: round!.round, seqno: 7, at } },
  ]);
});

it('one that is observed again is the same job', async () => {
  const [[once], [again]] = [await jobsOf(observed(round)), await jobsOf(observed(round))];
  expect(again!.id).toBe(once!.id);
});

it('what ended long ago, what nobody knows any more and other kinds are none', async () => {
  const long = MAX_CAUSE_AGE_MS / 1_000;
  expect(await jobsOf(observed(round, { time: ENDED - long }))).toEqual([]);
  expect(await jobsOf(observed(round, { time: ENDED + 120 - long }))).toHaveLength(1);
  expect(await jobsOf(observed(null))).toEqual([]);
  expect(await jobsOf(observed(round, { kind: 'ton.staking.nominator.round' }))).toEqual([]);
});
