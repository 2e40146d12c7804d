import { ERRORS, type ErrorCode } from '../../../contracts/problem/errors';
import { isRefusal } from '../../../contracts/decider';
import type { SettlementEvent } from '../../../contracts/events/settlement';
import { ZERO } from '../../../contracts/money/money';
import type { RebateRule } from '../rebate/rule';
import { settlementDecider, type SettlementCommand } from './decider';

const ONE = '00000000-0000-4000-8000-000000000001';
const TWO = '00000000-0000-4000-8000-000000000002';
const THREE = '00000000-0000-4000-8000-000000000003';
const FOUR = '00000000-0000-4000-8000-000000000004';
const metadata = { now: '2026-12-01T09:00:00.000Z', actor: 'ann' };

const RULE: RebateRule = {
  ruleId: 'rule-1',
  versions: [
    { tiers: [{ from: '10.00', rate: '0.10' }], setAt: metadata.now, setBy: 'ann' },
    { tiers: [{ from: '10.00', rate: '0.50' }], setAt: metadata.now, setBy: 'ann' },
  ],
};
const FIRST: RebateRule = { ...RULE, versions: RULE.versions.slice(0, 1) };

type Months = Record<string, [gross: string, fees: string]>;

const generate = (
  settlementId: string,
  billingPeriod: string,
  months: Months,
  more: { rule?: RebateRule; at?: number } = {},
): SettlementCommand => ({
  type: 'generate',
  settlementId,
  billingPeriod,
  merchant: {
    merchantId: 'm-1',
    merchantName: 'Espresso & Co',
    ledgerPosition: more.at ?? 7,
    periods: new Map(
      Object.entries(months).map(([month, [grossCollected, feesCollected]]) => [
        month,
        { feeCount: 1, grossCollected, feesCollected },
      ]),
    ),
  },
  rule: more.rule ?? null,
  currency: 'USD',
  scale: 2,
  metadata,
});
const pay = (settlementId: string): SettlementCommand => ({
  type: 'pay',
  settlementId,
  paidAt: metadata.now,
  reference: null,
  metadata,
});
const annul = (settlementId: string): SettlementCommand => ({
  type: 'void',
  settlementId,
  reason: null,
  metadata,
});

/** The outcome of each command after those before it: its events, or the code of its refusal. */
function given(...before: SettlementCommand[]) {
  let account = settlementDecider.initial();
  for (const command of before) {
    const decision = settlementDecider.decide(account, command);
    if (isRefusal(decision)) throw new Error(`refused: ${decision.detail}`);
    account = decision.reduce(settlementDecider.evolve, account);
  }
  return {
    when: (command: SettlementCommand) => {
      const decision = settlementDecider.decide(account, command);
      return isRefusal(decision) ? decision : { events: decision, types: decision.map(({ type }) => type) };
    },
  };
}

type Generated = Extract<SettlementEvent, { type: 'SettlementGenerated' }>['data'];

const generatedBy = (decision: ReturnType<ReturnType<typeof given>['when']>): Generated => {
  if (isRefusal(decision)) throw new Error(decision.code);
  return decision.events.flatMap(({ type, data }) => (type === 'SettlementGenerated' ? [data] : []))[0]!;
};
const rebatesOf = (decision: ReturnType<ReturnType<typeof given>['when']>) => {
  if (isRefusal(decision)) throw new Error(decision.code);
  return decision.events.flatMap(({ type, data }) => (type === 'RebateAccrued' ? [data] : []));
};

const NOVEMBER: Months = { '2026-11': ['100.00', '20.00'] };
const OWING: Months = { '2026-11': ['5.00', '20.00'] };

describe('a settlement', () => {
  it('is the collected amount less the fees', () => {
    const decision = given().when(generate(ONE, '2026-11', NOVEMBER));
    expect(decision).toMatchObject({ types: ['SettlementGenerated'] });
    expect(generatedBy(decision)).toEqual({
      settlementId: ONE,
      billingPeriod: '2026-11',
      merchantId: 'm-1',
      merchantName: 'Espresso & Co',
      currency: 'USD',
      grossCollected: '100.00',
      feesCollected: '20.00',
      feeCount: 1,
      rebateApplied: '0.00',
      carriedIn: '0.00',
      netAmount: '80.00',
      ledgerPosition: 7,
      lines: [{ billingPeriod: '2026-11', feeCount: 1, grossCollected: '100.00', feesCollected: '20.00' }],
      carriedFrom: [],
      rule: null,
      at: metadata.now,
      by: 'ann',
    });
  });

  it('includes the rebate on the fees of its month, with its rule', () => {
    const decision = given().when(generate(ONE, '2026-11', NOVEMBER, { rule: RULE }));
    expect(decision).toMatchObject({ types: ['RebateAccrued', 'SettlementGenerated', 'RebateApplied'] });
    expect(rebatesOf(decision)).toMatchObject([
      { billingPeriod: '2026-11', basisFee: '20.00', rate: '0.50', amount: '10.00', ruleVersion: 2 },
    ]);
    expect(generatedBy(decision)).toMatchObject({
      rebateApplied: '10.00',
      netAmount: '90.00',
      rule: { ruleId: 'rule-1', ruleVersion: 2 },
    });
  });

  it('settles its month also when changes of another month cancel it out', () => {
    const later = { '2026-11': ['95.00', '20.00'], '2026-12': ['5.00', ZERO] } satisfies Months;
    const next = given(generate(ONE, '2026-11', NOVEMBER)).when(generate(TWO, '2026-12', later, { at: 9 }));
    expect(generatedBy(next)).toMatchObject({ netAmount: ZERO, lines: [{}, {}] });
  });

  it('may consist of a rebate only', () => {
    const months = { '2026-11': ['20.00', '20.00'] } satisfies Months;
    const decision = given().when(generate(ONE, '2026-11', months, { rule: FIRST }));
    expect(generatedBy(decision)).toMatchObject({ rebateApplied: '2.00', netAmount: '2.00' });
  });

  it('with a negative amount is carried into the next one, of any month', () => {
    const owing = generate(ONE, '2026-11', OWING);
    expect(given().when(owing)).toMatchObject({ types: ['SettlementGenerated', 'SettlementCarried'] });
    const next = given(owing).when(generate(TWO, '2026-10', { ...OWING, '2026-10': ['50.00', '1.00'] }));
    expect(next).toMatchObject({ types: ['SettlementGenerated'] });
    expect(generatedBy(next)).toMatchObject({ carriedIn: '-15.00', carriedFrom: [ONE], netAmount: '34.00' });
  });

  it('carries the remaining negative amount', () => {
    const months = { ...OWING, '2026-12': ['6.00', '1.00'], '2027-01': ['30.00', '5.00'] } satisfies Months;
    const before = [generate(ONE, '2026-11', months), generate(TWO, '2026-12', months)];
    expect(generatedBy(given(before[0]!).when(before[1]!))).toMatchObject({ netAmount: '-10.00' });
    expect(generatedBy(given(...before).when(generate(THREE, '2027-01', months)))).toMatchObject({
      carriedIn: '-10.00',
      carriedFrom: [TWO],
      netAmount: '15.00',
    });
  });

  it('includes changes of settled months, and none of other months', () => {
    const later = {
      '2026-09': ['7.00', '1.00'],
      '2026-11': ['130.00', '24.00'],
      '2026-12': ['10.00', '1.00'],
    } satisfies Months;
    const next = generatedBy(
      given(generate(ONE, '2026-11', NOVEMBER)).when(generate(TWO, '2026-12', later, { at: 9 })),
    );
    expect(next).toMatchObject({
      grossCollected: '40.00',
      feesCollected: '5.00',
      feeCount: 1,
      lines: [
        { billingPeriod: '2026-12', grossCollected: '10.00' },
        { billingPeriod: '2026-11', feeCount: 0, grossCollected: '30.00', feesCollected: '4.00' },
      ],
    });
  });

  it('reverses the rebate of a changed settled month, and computes it again by the rule of that month', () => {
    const later = { '2026-11': ['90.00', '16.00'], '2026-12': ['10.00', '1.00'] } satisfies Months;
    const decision = given(generate(ONE, '2026-11', NOVEMBER, { rule: FIRST })).when(
      generate(TWO, '2026-12', later, { rule: RULE, at: 9 }),
    );
    expect(rebatesOf(decision)).toMatchObject([
      { billingPeriod: '2026-11', basisFee: '-20.00', rate: '0.10', amount: '-2.00', ruleVersion: 1 },
      { billingPeriod: '2026-11', basisFee: '16.00', rate: '0.10', amount: '1.60', ruleVersion: 1 },
    ]);
    // 10 - 1 for December, -10 + 4 for November, and 0.40 less of a rebate.
    expect(generatedBy(decision)).toMatchObject({ rebateApplied: '-0.40', netAmount: '2.60' });
  });

  it('reverses a rebate when all fees are reversed', () => {
    const later = { '2026-11': [ZERO, ZERO] } satisfies Months;
    const decision = given(generate(ONE, '2026-11', NOVEMBER, { rule: FIRST }), pay(ONE)).when(
      generate(TWO, '2026-12', later, { rule: FIRST, at: 9 }),
    );
    expect(rebatesOf(decision)).toMatchObject([{ basisFee: '-20.00', amount: '-2.00' }]);
    expect(generatedBy(decision)).toMatchObject({
      netAmount: '-82.00',
      lines: [{ billingPeriod: '2026-11' }],
    });
  });
});

describe('a settlement is refused', () => {
  type Expected = { readonly status: number; readonly code: ErrorCode; readonly extra?: object };
  const live = generate(ONE, '2026-11', NOVEMBER);
  it.each<[string, SettlementCommand[], SettlementCommand, Expected]>([
    [
      'while another one of the month is not void',
      [live],
      generate(TWO, '2026-11', NOVEMBER),
      { status: 409, code: 'settlement_exists', extra: { settlementId: ONE } },
    ],
    ['when there are no fees', [], generate(ONE, '2026-11', {}), { status: 422, code: 'nothing_to_settle' }],
    [
      'when only a carried balance is open',
      [generate(ONE, '2026-11', OWING)],
      generate(TWO, '2026-12', OWING),
      { status: 422, code: 'nothing_to_settle' },
    ],
    [
      'when the amounts are zero',
      [],
      generate(ONE, '2026-11', { '2026-11': [ZERO, ZERO] }),
      { status: 422, code: 'nothing_to_settle' },
    ],
    [
      'by sums older than another one',
      [generate(ONE, '2026-11', NOVEMBER, { at: 9 })],
      generate(TWO, '2026-12', { '2026-12': ['1.00', ZERO] }, { at: 8 }),
      { status: 409, code: 'version_conflict' },
    ],
    [
      'by a rule older than another one',
      [generate(ONE, '2026-11', NOVEMBER, { rule: RULE })],
      generate(TWO, '2026-12', { '2026-12': ['1.00', ZERO] }, { rule: FIRST }),
      { status: 409, code: 'version_conflict' },
    ],
  ])('%s', (_, before, command, { status, ...refusal }) => {
    expect(given(...before).when(command)).toMatchObject(refusal);
    expect(ERRORS[refusal.code].status).toBe(status);
  });
});

describe('a settlement that is', () => {
  const next = generate(TWO, '2026-12', { ...OWING, '2026-12': ['50.00', '1.00'] });
  const late = generate(TWO, '2026-12', { '2026-11': ['101.00', '20.00'] }, { at: 9 });
  const pending = [generate(ONE, '2026-11', NOVEMBER)];
  const carried = [generate(ONE, '2026-11', OWING)];
  const paid = [...pending, pay(ONE)];
  const voided = [...pending, annul(ONE)];

  it.each<[string, SettlementCommand[], SettlementCommand, string[] | string]>([
    ['nowhere', [], pay(ONE), 'settlement_not_found'],
    ['nowhere', [], annul(ONE), 'settlement_not_found'],
    ['pending', pending, pay(ONE), ['SettlementPaid']],
    ['pending', pending, annul(ONE), ['SettlementVoided']],
    ['paid', paid, pay(ONE), 'settlement_already_paid'],
    ['paid', paid, annul(ONE), 'settlement_already_paid'],
    ['carried', carried, pay(ONE), 'settlement_not_pending'],
    ['carried', carried, annul(ONE), ['SettlementVoided']],
    ['carried and included in another', [...carried, next], annul(ONE), 'settlement_has_dependents'],
    ['carried, and included in a void one', [...carried, next, annul(TWO)], annul(ONE), ['SettlementVoided']],
    ['followed by what changed since', [...pending, late], annul(ONE), 'settlement_has_dependents'],
    [
      'between two that took in changes of one month',
      [...pending, late, generate(THREE, '2027-01', { '2026-11': ['102.00', '20.00'] }, { at: 10 })],
      annul(TWO),
      'settlement_has_dependents',
    ],
    ['void', voided, pay(ONE), 'settlement_not_pending'],
    ['void', voided, annul(ONE), 'settlement_already_void'],
    ['void', voided, generate(TWO, '2026-11', NOVEMBER), ['SettlementGenerated']],
  ])('%s, %#', (_, before, command, expected) => {
    const decision = given(...before).when(command);
    if (typeof expected === 'string') expect(decision).toMatchObject({ refused: true, code: expected });
    else expect(decision).toMatchObject({ types: expected });
  });

  it('void opens its carried balance again', () => {
    const months = { ...OWING, '2026-12': ['50.00', '1.00'] } satisfies Months;
    const again = given(...carried, next, annul(TWO)).when(generate(THREE, '2026-12', months));
    expect(generatedBy(again)).toMatchObject({ carriedIn: '-15.00', carriedFrom: [ONE], netAmount: '34.00' });
  });
});

describe('the rebates of a settlement that is carried', () => {
  const MONTHS: Months = {
    '2026-11': ['5.00', '20.00'],
    '2026-12': ['10.00', '11.00'],
    '2027-01': ['90.00', '30.00'],
  };
  const steps = ['2026-11', '2026-12', '2027-01'].map((month, index) =>
    generate([ONE, TWO, THREE][index]!, month, MONTHS, { rule: FIRST }),
  );
  const rebateIds = steps.map(
    (step, index) => rebatesOf(given(...steps.slice(0, index)).when(step))[0]!.rebateId,
  );
  const paidBy = (decision: ReturnType<ReturnType<typeof given>['when']>) => {
    if (isRefusal(decision)) throw new Error(decision.code);
    return decision.events
      .flatMap(({ type, data }) => (type === 'SettlementPaid' ? data.rebateIds : []))
      .sort();
  };

  it('are paid with the settlement that includes it through another one', () => {
    expect(generatedBy(given(...steps.slice(0, 2)).when(steps[2]!))).toMatchObject({ carriedFrom: [TWO] });
    expect(paidBy(given(...steps).when(pay(THREE)))).toEqual([...rebateIds].sort());
  });

  it('do not make it payable or voidable', () => {
    for (const id of [ONE, TWO]) {
      expect(given(...steps, pay(THREE)).when(pay(id))).toMatchObject({ code: 'settlement_not_pending' });
      expect(given(...steps, pay(THREE)).when(annul(id))).toMatchObject({
        code: 'settlement_has_dependents',
      });
    }
  });

  it('are not paid with a void settlement', () => {
    const late = generate(FOUR, '2027-02', { '2027-02': ['9.00', '1.00'] });
    const apart = [steps[0]!, annul(ONE), late];
    expect(paidBy(given(...apart).when(pay(FOUR)))).toEqual([]);
  });

  it('are reversed when their month changes later, like those of other settlements', () => {
    const later = { ...MONTHS, '2026-11': [ZERO, ZERO] } satisfies Months;
    const next = given(...steps, pay(THREE)).when(generate(FOUR, '2027-02', later, { rule: FIRST, at: 9 }));
    expect(rebatesOf(next)).toMatchObject([{ billingPeriod: '2026-11', amount: '-2.00' }]);
  });
});

describe('the rebate of a settlement that is void', () => {
  const before = [generate(ONE, '2026-11', NOVEMBER, { rule: FIRST }), annul(ONE)];
  const rebateId = rebatesOf(given().when(before[0]!))[0]!.rebateId;

  it('is accrued, and applied by the next settlement of the month', () => {
    const again = given(...before).when(generate(TWO, '2026-11', NOVEMBER, { rule: FIRST }));
    expect(again).toMatchObject({
      types: ['SettlementGenerated', 'RebateApplied'],
      events: [{ data: { rebateApplied: '2.00' } }, { data: { rebateId, settlementId: TWO } }],
    });
  });

  it.each<[string, Months, RebateRule]>([
    ['the fees', { '2026-11': ['100.00', '21.00'] }, FIRST],
    ['the rule', NOVEMBER, RULE],
  ])('gives way to another when %s changed', (_, months, rule) => {
    const again = given(...before).when(generate(TWO, '2026-11', months, { rule }));
    expect(again).toMatchObject({
      types: ['RebateVoided', 'RebateAccrued', 'SettlementGenerated', 'RebateApplied'],
      events: [{ data: { rebateId } }, {}, {}, {}],
    });
  });

  it('is not applied by a settlement of another month', () => {
    const other = given(...before).when(
      generate(TWO, '2026-12', { ...NOVEMBER, '2026-12': ['9.00', '1.00'] }, { rule: FIRST }),
    );
    expect(other).toMatchObject({ types: ['SettlementGenerated'] });
  });
});
