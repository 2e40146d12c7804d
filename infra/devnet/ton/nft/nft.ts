import { type Address, beginCell, Cell, comment, contractAddress } from '@ton/core';
import { onChainContent } from '../token-content';
import { COLLECTION_CODE, ITEM_CODE } from './code';

/** Operations of TEP-62, and `mint` of our collection. */
const OP = { transfer: 0x5fcc3d14, mint: 1 } as const;

/** TEP-64 attributes of a collection or an item. */
export interface NftMetadata {
  readonly name: string;
  readonly description: string;
  /** URL. */
  readonly image: string;
}

export interface NftCollection {
  readonly address: Address;
  readonly init: { readonly code: Cell; readonly data: Cell };
}

/** The collection of an owner with this metadata, deployed or not. */
export function nftCollection(owner: Address, metadata: NftMetadata): NftCollection {
  const data = beginCell()
    .storeAddress(owner)
    .storeUint(0, 64)
    .storeRef(onChainContent({ ...metadata }))
    .storeRef(ITEM_CODE)
    .endCell();
  const init = { code: COLLECTION_CODE, data };
  return { address: contractAddress(0, init), init };
}

/** An item of a collection, minted or not. */
export function nftItemAddress(collection: Address, index: number): Address {
  const data = beginCell().storeUint(index, 64).storeAddress(collection).endCell();
  return contractAddress(0, { code: ITEM_CODE, data });
}

export interface NftMint {
  /** Items are minted in the order of their indexes, from 0. */
  readonly index: number;
  readonly to: Address;
  /** Or a content cell of TEP-64. */
  readonly metadata: NftMetadata | Cell;
  /** Nanotons for the new item: its storage and its work. */
  readonly value: bigint;
}

/** Message body for the collection, from its owner. */
export function nftMintBody({ index, to, metadata, value }: NftMint): Cell {
  return beginCell()
    .storeUint(OP.mint, 32)
    .storeUint(0, 64)
    .storeUint(index, 64)
    .storeCoins(value)
    .storeRef(
      beginCell()
        .storeAddress(to)
        .storeRef(metadata instanceof Cell ? metadata : onChainContent({ ...metadata })),
    )
    .endCell();
}

export interface NftTransfer {
  readonly to: Address;
  /** Receives the rest of the coins that pay for the transfer. */
  readonly response: Address;
  /** Nanotons of the notification of the new owner; 0 for no notification. */
  readonly forwardValue: bigint;
  readonly comment?: string;
  readonly queryId?: bigint;
}

/** Body of TEP-62's `transfer`, from an owner to their item, with a comment as the forward payload. */
export function nftTransferBody(transfer: NftTransfer): Cell {
  const { to, response, forwardValue, queryId = 0n } = transfer;
  return beginCell()
    .storeUint(OP.transfer, 32)
    .storeUint(queryId, 64)
    .storeAddress(to)
    .storeAddress(response)
    .storeMaybeRef(null)
    .storeCoins(forwardValue)
    .storeMaybeRef(transfer.comment === undefined ? null : comment(transfer.comment))
    .endCell();
}
