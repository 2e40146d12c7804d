import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BILLING_PROJECTIONS } from './billing-projections';

it('billing is folded only from the categories of the ledger, which an export contains', () => {
  for (const { name, categories } of BILLING_PROJECTIONS)
    expect([name, categories.filter(category => !LEDGER_CATEGORIES.includes(category))]).toEqual([name, []]);
});
