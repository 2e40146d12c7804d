import fc from 'fast-check';
import type { SettlementEvent } from '../../contracts/events/settlement';
import { MONTHS, Merchant, step } from '../../test/billing/merchant-account';
import { runs } from '../../test/random';
import { SettlementRules } from './settlement-rules';

it('are kept by whatever commands do to the settlements of a merchant', () => {
  const seen = new Set<SettlementEvent['type']>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), steps => {
      const merchant = new Merchant();
      for (const each of steps) merchant.take(each);
      for (const each of [...MONTHS, '2027-01']) merchant.generate(each);
      const rules = new SettlementRules();
      for (const [revision, event] of merchant.events.entries()) {
        rules.check({ ...event, stream: 'settlement-local-m-1', revision, position: revision });
        seen.add(event.type);
      }
    }),
    runs(100),
  );
  expect([...seen].sort()).toEqual([
    'RebateAccrued',
    'RebateApplied',
    'RebateVoided',
    'SettlementCarried',
    'SettlementGenerated',
    'SettlementPaid',
    'SettlementVoided',
  ]);
});
