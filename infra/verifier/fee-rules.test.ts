import fc from 'fast-check';
import { isRefusal } from '../../contracts/decider';
import type { FeeEvent, FeeFacts } from '../../contracts/events/fee';
import { AMOUNT, canonicalAmount } from '../../contracts/money/money';
import { feeDecider, type FeeCommand, type FeeState } from '../../services/billing/fee/decider';
import { FACTS, FEE_SAMPLES } from '../../test/events/samples/fee';
import { runs } from '../../test/random';
import { FeeRules, type FeeState as StateOfFee, type FeeStates } from './fee-rules';
import { FeeStateTable } from './fee-state-table';

function check(events: readonly FeeEvent[]): void {
  const rules = new FeeRules(new FeeStateTable(), true);
  for (const [revision, event] of events.entries())
    rules.check({ ...event, stream: `fee-${event.data.id}`, revision, position: revision });
}

describe('the rules of fees', () => {
  it('are kept by every frozen sample, after those that it can follow', () => {
    const samples = (type: string): FeeEvent[] =>
      FEE_SAMPLES[type]!.map(({ data, latest = data }) => ({ type, data: latest }) as unknown as FeeEvent);
    const ofStatus = (status: string): FeeEvent[] =>
      samples('FeeRecorded').filter(
        ({ data }) => 'collection_status' in data && data.collection_status === status,
      );
    const pending = ofStatus('pending').map(event => [event]);
    const waived = pending.flatMap(events => samples('FeeWaived').map(event => [...events, event]));
    const collected = [
      ...ofStatus('collected').map(event => [event]),
      ...pending.flatMap(events => samples('FeeCollected').map(event => [...events, event])),
    ];
    const reversed = collected.flatMap(events => samples('FeeReversed').map(event => [...events, event]));
    expect([pending, waived, collected, reversed].map(({ length }) => length)).toEqual([1, 1, 2, 4]);
    for (const events of [...pending, ...waived, ...collected, ...reversed]) check(events);
  });

  it('are kept by whatever commands do to a fee', () => {
    const amount = fc.stringMatching(AMOUNT).map(text => canonicalAmount(text)!);
    const instant = fc
      .date({ min: new Date('1970-01-02'), max: new Date('2999-12-30'), noInvalidDate: true })
      .map(date => date.toISOString());
    const facts = fc
      .record({
        fee_amount: amount,
        gross_amount: amount,
        merchant_name: fc.string({ unit: 'grapheme' }),
        created_at: instant,
      })
      .map((some): FeeFacts => {
        const day = some.created_at.slice(0, 10);
        return { ...FACTS, ...some, day, billing_period: day.slice(0, 7) };
      });
    const change = fc.record({
      type: fc.constantFrom('collect', 'waive', 'reverse'),
      id: fc.constant(FACTS.id),
      invoicedBy: fc.constantFrom(null, 'i-1'),
      metadata: instant.map(now => ({ now, actor: 'ann' })),
    });
    fc.assert(
      fc.property(
        facts,
        fc.constantFrom('pending', 'collected'),
        fc.array(change, { maxLength: 8 }),
        (recorded, status, changes) => {
          const commands = [
            { type: 'record', facts: recorded, status, omitted: [], metadata: { now: '', actor: 'ann' } },
            ...changes.map(each => ({ ...each, day: each.metadata.now.slice(0, 10) })),
          ] as readonly FeeCommand[];
          let state: FeeState = feeDecider.initial();
          const events: FeeEvent[] = [];
          for (const command of commands) {
            const decided = feeDecider.decide(state, command);
            if (isRefusal(decided)) continue;
            events.push(...decided);
            state = decided.reduce<FeeState>(feeDecider.evolve, state);
          }
          check(events);
        },
      ),
      runs(100),
    );
  });
});

describe('the table of states', () => {
  it('has what a map has, while it grows and states change', () => {
    const [table, map]: FeeStates[] = [new FeeStateTable(), new Map<string, StateOfFee>()];
    const streams = Array.from({ length: 7_000 }, (_, n) => `fee-${n}`);
    const change = (stream: string, n: number, revision: number): void => {
      const status = (['pending', 'collected', 'waived', 'reversed'] as const)[(n + revision) % 4]!;
      const state: StateOfFee = { revision, status, fingerprint: Uint32Array.of(n, ~n, n * 7, revision) };
      for (const states of [table!, map!]) states.set(stream, state);
    };
    for (const [n, stream] of streams.entries()) {
      expect(table!.get(stream)).toBeUndefined();
      change(stream, n, 0);
      if (n % 3 === 0) change(streams[n >> 1]!, n, 1 + (n % 2));
    }
    for (const stream of streams) expect(table!.get(stream)).toEqual(map!.get(stream));
    expect(table!.get('fee-none')).toBeUndefined();
  });
});
