import fc from 'fast-check';
import { isRefusal } from '../../../contracts/decider';
import { EXCHANGE_ORDER_STATUSES, type ExchangeOrderEvent } from '../../../contracts/events/exchange-order';
import { at, metadata, NONE_UNPAID, partnerOrder, REQUEST } from '../../../test/exchange/order';
import { runs } from '../../../test/random';
import { exchangeOrderKind, type ExchangeOrderCommand } from './decider';
import { isPlacing, type ExchangeOrder } from './state';
import { isMoveAllowed, isResolvable, parsePartnerStatus } from './status-moves';

const { initial, evolve, decide } = exchangeOrderKind.decider;

const attempt = fc.integer({ min: 1, max: 4 });
const text = fc.option(fc.constantFrom('1', '2'));
const order = fc
  .record({
    id: fc.constantFrom('p1', 'p1', 'p1', 'p2'),
    status: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...EXCHANGE_ORDER_STATUSES) },
      { weight: 1, arbitrary: fc.string() },
    ),
    payinHash: text,
    payoutHash: text,
    refundHash: text,
    amountTo: text,
    rate: text,
  })
  .map(partnerOrder);
const answer = order.map(made => ({ order: made, expiresAt: at(600) }));
const constant = <const T extends string>(type: T) => fc.constant({ type });

/** What workers, partner and user may do, in any order. */
const step = fc.oneof(
  constant('startCall'),
  answer.map(made => ({ type: 'recordCreated' as const, ...made })),
  attempt.map(n => ({
    type: 'recordRejected' as const,
    attempt: n,
    reason: 'other' as const,
    message: 'no',
  })),
  attempt.map(n => ({ type: 'recordCallFailed' as const, attempt: n, retryAt: at(n), message: 'no' })),
  attempt.map(n => ({ type: 'recordOutcomeUnknown' as const, attempt: n })),
  fc.array(answer, { maxLength: 2 }).map(found => ({ type: 'recordSearch' as const, found })),
  { weight: 12, arbitrary: order.map(seen => ({ type: 'observe' as const, order: seen })) },
  constant('passExpiry'),
  constant('resolve').map(fields => ({ ...fields, by: 'wallet' as const, source: REQUEST.source })),
  constant('earnCommission').map(fields => ({
    ...fields,
    commission: '1',
    currency: 'ton',
    feeAmount: '1.00',
    grossAmount: '9.00',
  })),
);
const steps = fc.array(fc.record({ after: fc.nat(40), fields: step }), { maxLength: 60 });

const countOf = (events: readonly ExchangeOrderEvent[], ...types: ExchangeOrderEvent['type'][]): number =>
  events.filter(({ type }) => types.includes(type)).length;

const UNPAID: readonly string[] = ['new', 'waiting', 'overdue', 'expired'];

/** What must follow from the events alone. */
function expectExplained(state: ExchangeOrder, events: readonly ExchangeOrderEvent[]): void {
  const placed = countOf(events, 'ExchangeOrderCreated', 'ExchangeOrderAdopted');
  const refused = countOf(events, 'ExchangeOrderRejected', 'ExchangeOrderAbandoned');
  expect(placed + refused).toBe(isPlacing(state) ? 0 : 1);
  expect(state.placed !== null).toBe(placed === 1);

  let partner = 'new';
  let shown = 'new';
  for (const { type, data } of events) {
    if (type === 'ExchangeOrderStatusObserved') {
      const [from, to] = [parsePartnerStatus(data.from)!, parsePartnerStatus(data.to)!];
      expect(from).toBe(partner);
      expect(isMoveAllowed(from, to)).toBe(true);
      const isPaidLate = UNPAID.includes(data.from) && !UNPAID.includes(to);
      const stays = shown === 'resolved' && !isPaidLate && to !== 'finished' && to !== 'refunded';
      expect(data.shown).toBe(stays ? 'resolved' : to);
      [partner, shown] = [to, data.shown];
    } else if (type === 'ExchangeOrderResolved') {
      expect(data.from).toBe(shown);
      expect(isResolvable(data.from)).toBe(true);
      shown = 'resolved';
    }
  }
  expect([state.partnerStatus, state.status]).toEqual([partner, shown]);
}

test('whatever a partner says in whatever order: one order at most, moves of the table only, and events that explain them', () => {
  fc.assert(
    fc.property(steps, done => {
      let seconds = 0;
      const events: ExchangeOrderEvent[] = [];
      let state = initial();
      const execute = (command: ExchangeOrderCommand): readonly ExchangeOrderEvent[] => {
        const decision = decide(state, command);
        const written = isRefusal(decision) ? [] : decision;
        events.push(...written);
        state = written.reduce(evolve, state);
        return written;
      };
      execute({ type: 'request', request: REQUEST, ...NONE_UNPAID, metadata: metadata(0) });
      for (const { after, fields } of done) {
        seconds += after;
        const command = { ...fields, metadata: metadata(seconds) };
        const before = state!;
        const written = execute(command);
        if (fields.type === 'observe' && fields.order.id !== before.placed?.partnerOrderId)
          expect(written).toEqual([]);
        // A partner that repeats itself changes nothing.
        if (fields.type !== 'recordSearch' && fields.type !== 'startCall')
          expect(execute({ ...command, metadata: metadata(seconds) })).toEqual([]);
      }
      expectExplained(state!, events);
      expect(countOf(events, 'ExchangePayinSeen')).toBeLessThanOrEqual(1);
      expect(countOf(events, 'ExchangePayoutSent')).toBeLessThanOrEqual(1);
      expect(countOf(events, 'ExchangeCommissionEarned')).toBeLessThanOrEqual(1);
      const { read, write } = exchangeOrderKind.events;
      const stored = events.map(event => JSON.stringify(write(event, 'id', {})));
      const replayed = stored.map(json => read(JSON.parse(json) as ReturnType<typeof write>));
      expect(replayed.reduce<ExchangeOrder | null>(evolve, initial())).toEqual(state);
    }),
    runs(300),
  );
});
