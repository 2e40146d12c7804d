import { useRead } from '../elements/use-read';
import { read } from './admin';
import { endOfThisMonth } from './values';

/**
 * The month of the newest fee, of those in months that have begun if there is any: undefined while it is read, null where there
 * is no fee, or it cannot be read.
 */
export function useNewestMonth(): string | null | undefined {
  const { value, error } = useRead(newestMonth, []);
  return error ? null : value;
}

async function newestMonth(): Promise<string | null> {
  return (await monthOfNewest({ dateTo: endOfThisMonth() })) ?? (await monthOfNewest({}));
}

async function monthOfNewest(filter: { readonly dateTo?: string }): Promise<string | null> {
  const { rows } = await read<'list_fee_ledger'>({
    action: 'list_fee_ledger',
    ...filter,
    page: 1,
    pageSize: 1,
  });
  return rows[0]?.billing_period ?? null;
}
