import fc from 'fast-check';
import { isRefusal } from '../../../contracts/decider';
import { ERRORS, type ErrorCode } from '../../../contracts/problem/errors';
import type { FeeEvent, FeeFacts } from '../../../contracts/events/fee';
import { FACTS } from '../../../test/events/samples/fee';
import { feeDecider, type FeeCommand, type FeeState, type GivenFacts, type OmittedField } from './decider';
import { runs } from '../../../test/random';

const metadata = { now: '2026-11-20T12:00:00.000Z', actor: 'ann' };
const facts: FeeFacts = FACTS;

const record = (
  changed: Partial<GivenFacts> = {},
  more: { status?: 'collected'; omitted?: OmittedField[] } = {},
): FeeCommand => ({
  type: 'record',
  facts: { ...facts, ...changed },
  status: more.status ?? 'pending',
  omitted: more.omitted ?? [],
  metadata,
});
const reverse = (invoicedBy: string | null = null): FeeCommand => ({
  type: 'reverse',
  id: 'f-1',
  invoicedBy,
  day: '2026-12-01',
  metadata: { ...metadata, now: '2026-11-30T23:30:00.000Z' },
});
const change = (type: 'collect' | 'waive' | 'reverse'): FeeCommand =>
  type === 'reverse' ? reverse() : { type, id: 'f-1', metadata };

const recorded = (collection_status: 'pending' | 'collected' = 'pending'): FeeEvent => ({
  type: 'FeeRecorded',
  data: { ...facts, collection_status },
});
const collected: FeeEvent = { type: 'FeeCollected', data: facts };
const waived: FeeEvent = { type: 'FeeWaived', data: facts };
const reversed: FeeEvent = { type: 'FeeReversed', data: { ...facts, adjustment: null } };

const stateAfter = (events: readonly FeeEvent[]): FeeState =>
  events.reduce(feeDecider.evolve, feeDecider.initial());
const given = (...events: FeeEvent[]) => ({
  when: (command: FeeCommand) => {
    const decision = feeDecider.decide(stateAfter(events), command);
    return {
      then: (...expected: FeeEvent[]) => expect(decision).toEqual(expected),
      thenRefused: (status: number, code: ErrorCode) => {
        expect(decision).toMatchObject({ refused: true, code });
        expect(ERRORS[code].status).toBe(status);
      },
    };
  },
});

describe('recording a fee', () => {
  it('happens once', () => given().when(record()).then(recorded()));
  it('as collected is possible', () =>
    given()
      .when(record({}, { status: 'collected' }))
      .then(recorded('collected')));
  it('again with the same content changes nothing', () => given(recorded()).when(record()).then());
  it('again after it was collected changes nothing', () =>
    given(recorded(), collected).when(record()).then());
  it.each([
    ['a date', { created_at: '2026-12-01T00:00:00.000Z' }, 'created_at'],
    ['a name', { merchant_name: 'Renamed since' }, 'merchant_name'],
    ['a slug', { merchant_slug: 'renamed-since' }, 'merchant_slug'],
  ] as const)('again without %s changes nothing', (_what, filledIn, field) =>
    given(recorded())
      .when(record(filledIn, { omitted: [field] }))
      .then(),
  );

  it.each(['merchant_name', 'merchant_slug'] as const)('without a %s that anybody knows', field => {
    const unnamed = record({ [field]: null }, { omitted: [field] });
    given().when(unnamed).thenRefused(422, 'merchant_not_found');
    given(recorded()).when(unnamed).then();
  });

  it.each([
    'fee_type',
    'fee_amount',
    'gross_amount',
    'created_at',
    'merchant_id',
    'merchant_name',
    'merchant_slug',
  ])('again with another %s is refused', field =>
    given(recorded())
      .when(record({ [field]: 'else' }))
      .thenRefused(409, 'fee_exists'),
  );
  it('again with another status is refused', () =>
    given(recorded())
      .when(record({}, { status: 'collected' }))
      .thenRefused(409, 'fee_exists'));

  it('says which fee and what differs', () => {
    const decision = feeDecider.decide(stateAfter([recorded()]), record({ fee_amount: '2.00' }));
    expect(decision).toMatchObject({ extra: { id: 'f-1', differing: ['fee_amount'] } });
  });
});

describe('a pending fee', () => {
  it('is collected', () => given(recorded()).when(change('collect')).then(collected));
  it('is waived', () => given(recorded()).when(change('waive')).then(waived));
  it('is not reversed', () =>
    given(recorded()).when(change('reverse')).thenRefused(409, 'fee_not_collected'));
});

describe('a collected fee', () => {
  it('is reversed', () => given(recorded(), collected).when(change('reverse')).then(reversed));
  it('that was recorded as collected is reversed', () =>
    given(recorded('collected')).when(change('reverse')).then(reversed));
  it('is not waived', () =>
    given(recorded(), collected).when(change('waive')).thenRefused(409, 'fee_not_pending'));
});

describe('an invoiced fee', () => {
  const adjusted: FeeEvent = {
    type: 'FeeReversed',
    data: {
      ...facts,
      adjustment: {
        ...facts,
        id: 'f-1~reversal',
        fee_amount: '-1.50',
        gross_amount: '-100.00',
        created_at: '2026-11-30T23:30:00.000Z',
        day: '2026-12-01',
        billing_period: '2026-12',
        invoice_id: 'i-1',
      },
    },
  };

  it('is reversed by an adjustment in the month of the reversal', () =>
    given(recorded('collected')).when(reverse('i-1')).then(adjusted));
  it('is reversed once', () => given(recorded('collected'), adjusted).when(reverse('i-1')).then());
  it('is not collected again', () =>
    given(recorded('collected'), adjusted).when(change('collect')).thenRefused(409, 'fee_not_pending'));
  it('with a negative amount is reversed by a positive one', () => {
    const negative = { ...recorded('collected').data, fee_amount: '-0.05', gross_amount: '0.00' };
    const state = stateAfter([
      { type: 'FeeRecorded', data: { ...negative, collection_status: 'collected' } },
    ]);
    expect(feeDecider.decide(state, reverse('i-1'))).toMatchObject([
      { data: { fee_amount: '-0.05', adjustment: { fee_amount: '0.05', gross_amount: '0.00' } } },
    ]);
  });
});

describe('the end of a fee', () => {
  it.each(['collect', 'reverse'] as const)('waived is not followed by %s', type => {
    given(recorded(), waived)
      .when(change(type))
      .thenRefused(409, type === 'collect' ? 'fee_not_pending' : 'fee_not_collected');
  });
  it.each(['collect', 'waive'] as const)('reversed is not followed by %s', type => {
    given(recorded(), collected, reversed).when(change(type)).thenRefused(409, 'fee_not_pending');
  });
});

it('a fee that was never recorded does not change', () => {
  for (const type of ['collect', 'waive', 'reverse'] as const)
    given().when(change(type)).thenRefused(404, 'fee_not_found');
});

it('a repeated command yields no event', () => {
  const command = fc.constantFrom(
    record(),
    record({}, { status: 'collected' }),
    ...(['collect', 'waive', 'reverse'] as const).map(change),
  );
  fc.assert(
    fc.property(fc.array(command, { maxLength: 8 }), command, (history, last) => {
      let state = feeDecider.initial();
      for (const each of [...history, last]) {
        const decision = feeDecider.decide(state, each);
        if (!isRefusal(decision)) state = decision.reduce(feeDecider.evolve, state);
        else if (each === last) return;
      }
      expect(feeDecider.decide(state, last)).toEqual([]);
    }),
    runs(100),
  );
});
