import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BILLING_PROJECTIONS } from './billing-projections';

it('is folded from the ledger only, which an export has in full', () => {
  for (const { name, categories } of BILLING_PROJECTIONS)
    expect([name, categories.filter(category => !LEDGER_CATEGORIES.includes(category))]).toEqual([name, []]);
});
