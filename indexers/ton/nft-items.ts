import type { Cell, TupleReader } from '@ton/core';
import type { TonClient } from '../../contracts/ports/ton-client';
import { askContract } from './get-method';

/** What an item says of itself (TEP-62), where its collection confirms it. Addresses are raw. */
export interface NftItem {
  readonly index: bigint;
  /** Null: the item is of no collection, and nothing confirms it. */
  readonly collection: string | null;
  readonly owner: string | null;
  readonly isInitialized: boolean;
  /** What the item keeps of its content; its collection may have the rest. */
  readonly individualContent: Cell | null;
}

/**
 * The item at an address (raw); null when there is none, or its collection has another one at its index.
 * @throws Error when the source does not answer
 */
export async function readNftItem(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  address: string,
): Promise<NftItem | null> {
  const { value: item } = await askContract(client, seqno, address, 'get_nft_data', [], itemIn);
  if (!item || item.index < 0n) return null;
  const { collection, index, isInitialized } = item;
  if (collection === null) return isInitialized ? item : null;
  const confirmed = await askContract(
    client,
    seqno,
    collection,
    'get_nft_address_by_index',
    [{ type: 'int', value: index }],
    stack => stack.readAddress().toRawString(),
  );
  return confirmed.value === address ? item : null;
}

/** `(int init?, int index, slice collection_address, slice owner_address, cell individual_content)` of TEP-62. */
function itemIn(stack: TupleReader): NftItem {
  return {
    isInitialized: stack.readBoolean(),
    index: stack.readBigNumber(),
    collection: stack.readAddressOpt()?.toRawString() ?? null,
    owner: stack.readAddressOpt()?.toRawString() ?? null,
    individualContent: stack.remaining > 0 ? stack.readCellOpt() : null,
  };
}
