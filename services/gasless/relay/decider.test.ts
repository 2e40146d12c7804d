import type { GaslessRelayEvent } from '../../../contracts/events/gasless-relay';
import { gaslessRelayKind, type RelayCommand } from './decider';

const { initial, evolve, decide } = gaslessRelayKind.decider;
const metadata = { now: '2026-11-23T12:00:00.000Z', actor: 'gasless' };
const sign = (after: number, seqno: number): RelayCommand => ({
  type: 'sign',
  after,
  metadata,
  message: {
    network: 'testnet',
    relay: 'r',
    seqno,
    requests: [{ wallet: 'w', seqno: 0, bodyHash: 'b' }],
    message: 'm',
    messageHash: 'h',
    validUntil: 9,
  },
});
const observe = (count: number, seqno: number, isExpired = false): RelayCommand => ({
  type: 'observe',
  count,
  metadata,
  seen: { seqno, isExpired },
});

function after(...commands: readonly RelayCommand[]) {
  return commands.reduce((state, command) => {
    const events = decide(state, command) as readonly GaslessRelayEvent[];
    expect(events).toHaveLength(1);
    return events.reduce(evolve, state);
  }, initial());
}
const refused = { code: 'gasless_in_flight' };

it('signs nothing while the last message may still be carried out', () => {
  const live = after(sign(0, 5));
  expect(decide(live, sign(1, 5))).toMatchObject(refused);
  expect(decide(live, sign(1, 6))).toMatchObject(refused);
  expect(decide(live, observe(1, 5))).toEqual([]);
});

it('signs the next one once the last is in a block, or can be in none any more', () => {
  expect(after(sign(0, 5), observe(1, 6), sign(1, 6))!.count).toBe(2);
  expect(after(sign(0, 5), observe(1, 5, true), sign(1, 5))!.count).toBe(2);
});

it('a message that is in a block is not taken for one that has expired', () =>
  expect(decide(after(sign(0, 5)), observe(1, 6, true))).toMatchObject([
    { type: 'GaslessRelayMessageIncluded' },
  ]));

it('refuses a decision that was made before another was signed', () => {
  const later = after(sign(0, 5), observe(1, 6));
  expect(decide(later, sign(0, 6))).toMatchObject(refused);
});

it('refuses a seqno that is used up, as a node says it that is behind', () =>
  expect(decide(after(sign(0, 5), observe(1, 6)), sign(1, 5))).toMatchObject(refused));

it('what is seen of an earlier message changes nothing', () => {
  const second = after(sign(0, 5), observe(1, 6), sign(1, 6));
  expect(decide(second, observe(1, 7, true))).toEqual([]);
  expect(decide(initial(), observe(1, 7))).toEqual([]);
});

it('signs again with the seqno of a message that a fork has taken back, once that can be in no block any more', () => {
  const included = after(sign(0, 5), observe(1, 6));
  // A node that is behind says the same.
  expect(decide(included, observe(1, 5))).toEqual([]);
  expect(decide(included, sign(1, 5))).toMatchObject(refused);
  expect(after(sign(0, 5), observe(1, 6), observe(1, 5, true), sign(1, 5))!.live).toMatchObject({ seqno: 5 });
});

it('signs with an earlier seqno yet when the fork has taken back more than the last message', () => {
  const live = after(sign(0, 5), observe(1, 6), sign(1, 6), observe(2, 4, true));
  expect(live).toMatchObject({ live: null, nextSeqno: 4 });
  expect(decide(live, observe(2, 3, true))).toMatchObject([
    { type: 'GaslessRelayMessageExpired', data: { seqno: 3 } },
  ]);
});

it('a message stays in its block when its expiry is seen later', () =>
  expect(decide(after(sign(0, 5), observe(1, 6)), observe(1, 6, true))).toEqual([]));
