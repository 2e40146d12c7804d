import type { DEMO } from '../../../../contracts/http/billing/demonstration';
import { useRead } from '../elements/use-read';
import { read } from './admin';

const SLUG: typeof DEMO.merchant.slug = 'demo-bakery';

/** Says what is a demonstration, where the ledger has one. */
export function DemonstrationNotice() {
  const { value } = useRead(
    () => read<'list_fee_ledger'>({ action: 'list_fee_ledger', merchantSlug: SLUG, page: 1, pageSize: 1 }),
    [],
  );
  if (!value || value.total === 0) return null;
  return (
    <aside class="notice" aria-label="Demonstration">
      <p>
        The merchants named “Demonstration: …”, with their fees, invoices and settlements, are a
        demonstration: nobody owes any of it. For an empty ledger stop the program and run{' '}
        <code>npm run -s tidemark -- reset --yes</code> where it was started; this deletes all its data.
      </p>
    </aside>
  );
}
