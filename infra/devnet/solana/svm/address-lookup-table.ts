import type { StoredAccount } from './account';
import { base58 } from './base58';
import { LOOKUP_TABLE } from './programs';
import type { Message } from './wire';

const HEADER_BYTES = 56;

export interface LoadedAddresses {
  readonly writable: readonly Buffer[];
  readonly readonly: readonly Buffer[];
}

/**
 * The addresses that a version 0 message loads from its lookup tables; null when a table or an index does not exist
 * (the engine then reports which). Layout: `LookupTableMeta` padded to 56 bytes, then 32 bytes an address.
 */
export function loadAddresses(
  { lookups }: Message,
  account: (address: string) => StoredAccount | null,
): LoadedAddresses | null {
  const writable: Buffer[] = [];
  const readonly: Buffer[] = [];
  for (const lookup of lookups) {
    const table = account(base58(lookup.table));
    if (!table?.owner.equals(LOOKUP_TABLE.bytes)) return null;
    const take = (indexes: readonly number[], into: Buffer[]): boolean =>
      indexes.every(index => {
        const address = table.data.subarray(HEADER_BYTES + 32 * index, HEADER_BYTES + 32 * (index + 1));
        into.push(address);
        return address.length === 32;
      });
    if (!take(lookup.writable, writable) || !take(lookup.readonly, readonly)) return null;
  }
  return { writable, readonly };
}
