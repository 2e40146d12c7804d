import type { GaslessHandoverEvent } from '../../../contracts/events/gasless-handover';
import { gaslessHandoverKind, type GaslessHandover, type GaslessHandoverCommand } from './decider';

const { initial, evolve, decide } = gaslessHandoverKind.decider;
const metadata = { now: '2026-11-23T12:00:00.000Z', actor: 'test' };

const handOver = (bodyHash: string, now = metadata.now): GaslessHandoverCommand => ({
  type: 'handOver',
  request: { network: 'testnet', wallet: '0:a', seqno: 3, bodyHash, hashes: [bodyHash], validUntil: 1 },
  metadata: { ...metadata, now },
});
const said = (
  type: 'recordTaken' | 'recordRefused' | 'recordUnanswered',
  bodyHash = 'b',
): GaslessHandoverCommand => ({
  type,
  bodyHash,
  metadata,
});
type Seen = (state: GaslessHandover | null) => GaslessHandoverCommand;
/** What somebody records who has just loaded the handover, and then read the chain. */
const seen =
  (outcome: 'confirmed' | 'skipped' | 'expired', bodyHash = 'b', hash = 'h'): Seen =>
  state => ({
    type: 'recordOutcome',
    bodyHash,
    outcome,
    after: state?.observations ?? 0,
    metadata,
    transaction: outcome === 'expired' ? null : { lt: '1', hash },
  });
const given = (state: GaslessHandover | null, command: GaslessHandoverCommand | Seen) =>
  typeof command === 'function' ? command(state) : command;

function after(...commands: readonly (GaslessHandoverCommand | Seen)[]): GaslessHandover | null {
  return commands.reduce<GaslessHandover | null>((state, command) => {
    const events = decide(state, given(state, command));
    if (!Array.isArray(events)) throw new Error('refused');
    return (events as GaslessHandoverEvent[]).reduce(evolve, state);
  }, initial());
}
const typesOf = (state: GaslessHandover | null, command: GaslessHandoverCommand | Seen): unknown => {
  const decided = decide(state, given(state, command));
  return Array.isArray(decided) ? (decided as GaslessHandoverEvent[]).map(({ type }) => type) : 'refused';
};

it('the same request is handed over once, until it was refused or has expired', () => {
  const first = [handOver('b')];
  expect(typesOf(after(...first), handOver('b'))).toEqual([]);
  expect(typesOf(after(...first, said('recordTaken')), handOver('b'))).toEqual([]);
  expect(typesOf(after(...first, seen('confirmed')), handOver('b'))).toEqual([]);
  expect(typesOf(after(...first, said('recordRefused')), handOver('b'))).toEqual(['GaslessHandedOver']);
});

it('is posted again, by one at a time, once a post has ended without an answer, or its process has crashed', () => {
  const unanswered = after(handOver('b'), said('recordUnanswered'));
  expect(typesOf(unanswered, handOver('b'))).toEqual(['GaslessHandoverRepeated']);
  expect(typesOf(unanswered, handOver('c'))).toBe('refused');
  expect(typesOf(after(handOver('b'), said('recordUnanswered'), handOver('b')), handOver('b'))).toEqual([]);
  expect(typesOf(after(handOver('b')), handOver('b', '2026-11-23T12:00:29.999Z'))).toEqual([]);
  expect(typesOf(after(handOver('b')), handOver('b', '2026-11-23T12:00:30.000Z'))).toEqual([
    'GaslessHandoverRepeated',
  ]);
  expect(after(handOver('b'), said('recordUnanswered'), said('recordTaken'))!.step).toBe('taken');
  expect(typesOf(after(handOver('b'), said('recordTaken')), said('recordUnanswered'))).toEqual([]);
});

it('another request of the seqno is refused while the first may have been taken, and when it was carried out', () => {
  const first = [handOver('b')];
  for (const more of [[], [said('recordTaken')], [seen('confirmed')], [seen('skipped')]])
    expect(typesOf(after(...first, ...more), handOver('c'))).toBe('refused');
  for (const more of [said('recordRefused'), seen('expired')])
    expect(typesOf(after(...first, more), handOver('c'))).toEqual(['GaslessHandedOver']);
});

it('what a fork has changed is recorded again, and a branch that is gone is not', () => {
  const confirmed = after(handOver('b'), said('recordTaken'), seen('confirmed'))!;
  expect(typesOf(confirmed, seen('confirmed'))).toEqual([]);
  for (const other of [seen('skipped'), seen('expired'), seen('confirmed', 'b', 'other')])
    expect(typesOf(confirmed, other)).toEqual(['GaslessHandoverEnded']);
  const late = seen('confirmed')(confirmed);
  expect(
    typesOf(after(handOver('b'), said('recordTaken'), seen('confirmed'), seen('skipped')), late),
  ).toEqual([]);
});

it('what a fork has taken back may still be on its way, until the chain says something else', () => {
  const open: Seen = state => ({
    type: 'recordOpen',
    bodyHash: 'b',
    after: state?.observations ?? 0,
    metadata,
  });
  const confirmed = after(handOver('b'), said('recordTaken'), seen('confirmed'))!;
  const late = open(after(handOver('b'), said('recordTaken'))!);
  expect(typesOf(confirmed, late)).toEqual([]);
  expect(typesOf(confirmed, open)).toEqual(['GaslessHandoverTaken']);
  const again = after(handOver('b'), said('recordTaken'), seen('confirmed'), open)!;
  expect(again).toMatchObject({ step: 'taken', transaction: null });
  expect(typesOf(again, open)).toEqual([]);
  expect(typesOf(again, handOver('c'))).toBe('refused');
  expect(typesOf(again, seen('confirmed'))).toEqual(['GaslessHandoverEnded']);
});

it('the chain decides, also against what was said, and only for the request that it is about', () => {
  const refused = after(handOver('b'), said('recordRefused'))!;
  expect(after(handOver('b'), said('recordRefused'), seen('confirmed'))?.step).toBe('confirmed');
  expect(typesOf(refused, seen('expired'))).toEqual([]);
  expect(typesOf(refused, said('recordTaken'))).toEqual(['GaslessHandoverTaken']);
  expect(typesOf(after(handOver('b'), seen('confirmed')), said('recordRefused'))).toEqual([]);
  expect(typesOf(after(handOver('b'), seen('expired'), handOver('c')), seen('confirmed'))).toEqual([]);
});

it('is removed once it has ended, with the hashes of all requests', () => {
  const remove = { type: 'remove', metadata } as const;
  expect(typesOf(after(handOver('b')), remove)).toEqual([]);
  expect(typesOf(after(handOver('b'), said('recordUnanswered')), remove)).toEqual([]);
  expect(typesOf(after(handOver('b'), said('recordTaken')), remove)).toEqual([]);
  expect(
    decide(after(handOver('b'), seen('expired'), handOver('c'), seen('confirmed', 'c')), remove),
  ).toMatchObject([{ type: 'GaslessHandoverRemoved', data: { bodyHash: 'c', hashes: ['b', 'c'] } }]);
});
