import type { OwnedPoolEvent, RecordedShare } from '../../../contracts/events/owned-pool';
import { ownedPoolKind } from './decider';

const { decider } = ownedPoolKind;
const metadata = { now: '2026-11-20T12:00:00.000Z', actor: 'staking' };

const share = (lt: string, hash = 'aa', nanotons = '13500000000') => ({
  network: 'mainnet' as const,
  pool: `0:${'9'.repeat(64)}`,
  round: Number(lt),
  lt,
  hash,
  endedAt: '2026-11-19T12:00:00.000Z',
  profit: '150000000000',
  ownerProfit: '28500000000',
  stakeProfit: '15000000000',
  share: nanotons,
});
type Share = ReturnType<typeof share>;

const recorded = (data: Share, occurrence: number): RecordedShare => ({
  ...data,
  occurrence,
  at: metadata.now,
});
const earned = (data: Share, occurrence = 1): OwnedPoolEvent => ({
  type: 'OwnerShareEarned',
  data: recorded(data, occurrence),
});
const retracted = (data: Share, occurrence = 1): OwnedPoolEvent => ({
  type: 'OwnerShareRetracted',
  data: recorded(data, occurrence),
});

const given = (...events: OwnedPoolEvent[]) => ({
  /** @param others ends of which nothing is known */
  whenOnChain: (shares: readonly Share[], others: readonly Share[] = []) => ({
    then: (...expected: OwnedPoolEvent[]) =>
      expect(
        decider.decide(events.reduce(decider.evolve, decider.initial()), {
          type: 'record',
          ends: [...shares, ...others],
          shares,
          metadata,
        }),
      ).toEqual(expected),
  }),
});

const [FIRST, SECOND] = [share('1'), share('2')];

test('each round that has ended is earned', () =>
  given().whenOnChain([FIRST, SECOND]).then(earned(FIRST), earned(SECOND)));

test('a round is earned once', () => given(earned(FIRST)).whenOnChain([FIRST, SECOND]).then(earned(SECOND)));

test('a round of which nothing is known yet is not earned, and one that was stays', () =>
  given(earned(FIRST)).whenOnChain([], [FIRST, SECOND]).then());

test('a round without a share is not earned', () =>
  given()
    .whenOnChain([share('1', 'aa', '0')])
    .then());

test('a round whose end the chain has taken back is retracted, once', () => {
  given(earned(FIRST), earned(SECOND)).whenOnChain([FIRST]).then(retracted(SECOND));
  given(earned(FIRST), earned(SECOND), retracted(SECOND)).whenOnChain([FIRST]).then();
});

test('another end takes its place', () => {
  const other = share('2', 'bb', '13400000000');
  given(earned(SECOND)).whenOnChain([other]).then(retracted(SECOND), earned(other));
});

test('an end that is back on the chain is earned again', () => {
  given(earned(FIRST), retracted(FIRST)).whenOnChain([FIRST]).then(earned(FIRST, 2));
  given(earned(FIRST), retracted(FIRST), earned(FIRST, 2)).whenOnChain([FIRST]).then();
  given(earned(FIRST), retracted(FIRST), earned(FIRST, 2)).whenOnChain([]).then(retracted(FIRST, 2));
});
