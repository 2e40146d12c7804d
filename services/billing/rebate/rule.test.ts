import type { CommandMetadata } from '../../../contracts/decider';
import { rebateTiers, type RebateTier } from '../../../contracts/money/rebate-tiers';
import { computeRebate, reversalOf } from './computed-rebate';
import { rebateRuleDecider, type RebateRule } from './rule';

const metadata: CommandMetadata = { now: '2026-12-01T09:00:00.000Z', actor: 'ann' };
const LOW: RebateTier[] = [{ from: '0.00', rate: '0.05' }];
const HIGH: RebateTier[] = [
  { from: '100.00', rate: '0.05' },
  { from: '1000.00', rate: '0.10' },
];
const set = (ruleId: string, tiers: RebateTier[]) => ({ type: 'set', ruleId, tiers, metadata }) as const;
const setEvent = (version: number, tiers: RebateTier[]) => ({
  type: 'RebateRuleSet' as const,
  data: { ruleId: 'rule-1', version, tiers, at: metadata.now, by: 'ann' },
});

describe('the rebate rule', () => {
  const after = (...events: ReturnType<typeof setEvent>[]) =>
    events.reduce(rebateRuleDecider.evolve, rebateRuleDecider.initial());

  it.each([
    ['nothing', after(), set('rule-1', LOW), [setEvent(1, LOW)]],
    ['a first version', after(setEvent(1, LOW)), set('other', HIGH), [setEvent(2, HIGH)]],
    ['the same tiers', after(setEvent(1, LOW)), set('other', LOW), []],
    [
      'an earlier version again',
      after(setEvent(1, LOW), setEvent(2, HIGH)),
      set('other', LOW),
      [setEvent(3, LOW)],
    ],
  ])('given %s, is set in a version of its own', (_, state, command, expected) =>
    expect(rebateRuleDecider.decide(state, command)).toEqual(expected),
  );

  it('keeps every version', () => {
    const setAt = metadata.now;
    expect(after(setEvent(1, LOW), setEvent(2, HIGH))).toEqual({
      ruleId: 'rule-1',
      versions: [LOW, HIGH].map(tiers => ({ tiers, setAt, setBy: 'ann' })),
    });
  });
});

describe('tiers set by an operator', () => {
  it('are written in canonical form', () =>
    expect(
      rebateTiers.parse([
        { from: '0', rate: '0' },
        { from: '1000', rate: '0.125' },
        { from: '2000', rate: '1' },
      ]),
    ).toEqual([
      { from: '0.00', rate: '0.00' },
      { from: '1000.00', rate: '0.125' },
      { from: '2000.00', rate: '1.00' },
    ]));

  it.each<[string, object[]]>([
    ['', []],
    ['0.rate', [{ from: '0', rate: '1.01' }]],
    ['0.rate', [{ from: '0', rate: '-0.1' }]],
    ['0.rate', [{ from: '0', rate: 0.1 }]],
    ['0.rate', [{ from: '0', rate: '5%' }]],
    ['0.from', [{ from: '-1', rate: '0.1' }]],
    ['0.from', [{ from: '1e3', rate: '0.1' }]],
    ['0.till', [{ from: '1', rate: '0.1', till: '2' }]],
    [
      '1.from',
      [
        { from: '10', rate: '0.1' },
        { from: '10.00', rate: '0.2' },
      ],
    ],
    [
      '2.from',
      [
        { from: '1', rate: '0.1' },
        { from: '10', rate: '0.2' },
        { from: '9', rate: '0.3' },
      ],
    ],
  ])('are refused for what is wrong at "%s": %j', (path, tiers) => {
    const { error } = rebateTiers.safeParse(tiers);
    const [issue] = error!.issues;
    expect([...issue!.path, ...(issue!.code === 'unrecognized_keys' ? issue!.keys : [])].join('.')).toBe(
      path,
    );
  });
});

describe('the rebate of a month', () => {
  const rule: RebateRule = {
    ruleId: 'rule-1',
    versions: [LOW, HIGH].map(tiers => ({ tiers, setAt: metadata.now, setBy: 'ann' })),
  };
  const by = (ruleVersion: number) => ({ ruleId: 'rule-1', ruleVersion });

  it.each([
    ['99.99', null],
    ['100.00', { rate: '0.05', amount: '5.00' }],
    ['999.90', { rate: '0.05', amount: '50.00' }],
    ['1000.00', { rate: '0.10', amount: '100.00' }],
    ['-1000.00', null],
  ])('%s earns the rate of the highest tier it reaches, on all of it', (volume, expected) => {
    const due = computeRebate('2026-11', volume, rule, by(2), 2);
    expect(due).toEqual(expected && { billingPeriod: '2026-11', basisFee: volume, ...by(2), ...expected });
  });

  it('is by the given version, and none without one', () => {
    expect(computeRebate('2026-11', '10.00', rule, by(1), 2)?.amount).toBe('0.50');
    expect(computeRebate('2026-11', '10.00', rule, null, 2)).toBeNull();
    expect(computeRebate('2026-11', '10.00', null, null, 2)).toBeNull();
  });

  it('is rounded half-even at the scale of the currency, and none when that is zero', () => {
    expect(computeRebate('2026-11', '0.30', rule, by(1), 2)?.amount).toBe('0.02');
    expect(computeRebate('2026-11', '0.50', rule, by(1), 2)?.amount).toBe('0.02');
    expect(computeRebate('2026-11', '0.30', rule, by(1), 3)?.amount).toBe('0.015');
    expect(computeRebate('2026-11', '50.00', rule, by(1), 0)?.amount).toBe('2.00');
    expect(computeRebate('2026-11', '0.10', rule, by(1), 2)).toBeNull();
  });

  it('is reversed exactly', () => {
    const due = computeRebate('2026-11', '0.30', rule, by(1), 2)!;
    expect(reversalOf(due)).toEqual({ ...due, basisFee: '-0.30', amount: '-0.02' });
  });
});
