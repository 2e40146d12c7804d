import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BILLING_MODELS } from './models';

it('is made of nothing but the ledger, which an auditor has in full', () => {
  for (const { name, categories } of BILLING_MODELS)
    expect([name, categories.filter(category => !LEDGER_CATEGORIES.includes(category))]).toEqual([name, []]);
});
