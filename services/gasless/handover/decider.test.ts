import type { GaslessHandoverEvent } from '../../../contracts/events/gasless-handover';
import { gaslessHandoverKind, type GaslessHandover, type GaslessHandoverCommand } from './decider';

const { initial, evolve, decide } = gaslessHandoverKind.decider;
const metadata = { now: '2026-11-23T12:00:00.000Z', actor: 'test' };

const handOver = (bodyHash: string): GaslessHandoverCommand => ({
  type: 'handOver',
  request: { network: 'testnet', wallet: '0:a', seqno: 3, bodyHash, hashes: [bodyHash], validUntil: 1 },
  metadata,
});
const said = (type: 'recordTaken' | 'recordRefused', bodyHash = 'b'): GaslessHandoverCommand => ({
  ...{ type, bodyHash, metadata },
});
const seen = (outcome: 'confirmed' | 'skipped' | 'expired', bodyHash = 'b'): GaslessHandoverCommand => ({
  ...{ type: 'recordOutcome', bodyHash, outcome, transaction: null, metadata },
});

function after(...commands: readonly GaslessHandoverCommand[]): GaslessHandover | null {
  return commands.reduce<GaslessHandover | null>((state, command) => {
    const events = decide(state, command);
    if (!Array.isArray(events)) throw new Error('refused');
    return (events as GaslessHandoverEvent[]).reduce(evolve, state);
  }, initial());
}
const typesOf = (state: GaslessHandover | null, command: GaslessHandoverCommand): unknown => {
  const decided = decide(state, command);
  return Array.isArray(decided) ? (decided as GaslessHandoverEvent[]).map(({ type }) => type) : 'refused';
};

it('the same request is handed over once, until it was refused or has expired', () => {
  const first = [handOver('b')];
  expect(typesOf(after(...first), handOver('b'))).toEqual([]);
  expect(typesOf(after(...first, said('recordTaken')), handOver('b'))).toEqual([]);
  expect(typesOf(after(...first, seen('confirmed')), handOver('b'))).toEqual([]);
  expect(typesOf(after(...first, said('recordRefused')), handOver('b'))).toEqual(['GaslessHandedOver']);
});

it('another request of the seqno is refused while the first may have been taken, and when it was carried out', () => {
  const first = [handOver('b')];
  for (const more of [[], [said('recordTaken')], [seen('confirmed')], [seen('skipped')]])
    expect(typesOf(after(...first, ...more), handOver('c'))).toBe('refused');
  for (const more of [said('recordRefused'), seen('expired')])
    expect(typesOf(after(...first, more), handOver('c'))).toEqual(['GaslessHandedOver']);
});

it('the chain decides, also against what was said, once, and only for the request that it is about', () => {
  const refused = after(handOver('b'), said('recordRefused'))!;
  expect(after(handOver('b'), said('recordRefused'), seen('confirmed'))?.step).toBe('confirmed');
  expect(typesOf(refused, seen('expired'))).toEqual([]);
  expect(typesOf(refused, said('recordTaken'))).toEqual(['GaslessHandoverTaken']);
  expect(typesOf(after(handOver('b'), seen('confirmed')), seen('expired'))).toEqual([]);
  expect(typesOf(after(handOver('b'), seen('confirmed')), said('recordRefused'))).toEqual([]);
  expect(typesOf(after(handOver('b'), seen('expired'), handOver('c')), seen('confirmed'))).toEqual([]);
});

it('is removed once it has ended, with the hashes of all requests', () => {
  const remove = { type: 'remove', metadata } as const;
  expect(typesOf(after(handOver('b')), remove)).toEqual([]);
  expect(typesOf(after(handOver('b'), said('recordTaken')), remove)).toEqual([]);
  expect(
    decide(after(handOver('b'), seen('expired'), handOver('c'), seen('confirmed', 'c')), remove),
  ).toMatchObject([{ type: 'GaslessHandoverRemoved', data: { bodyHash: 'c', hashes: ['b', 'c'] } }]);
});
