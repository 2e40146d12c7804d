import { useRead } from '../elements/use-read';
import { read } from './admin';

/** The month of the newest fee: undefined while it is read, null where there is none, or it cannot be read. */
export function useNewestMonth(): string | null | undefined {
  const { value, error } = useRead(newestMonth, []);
  return error ? null : value;
}

async function newestMonth(): Promise<string | null> {
  const { rows } = await read<'list_fee_ledger'>({ action: 'list_fee_ledger', page: 1, pageSize: 1 });
  return rows[0]?.billing_period ?? null;
}
