import { z } from 'zod';
import type { TonNetwork } from '../network/network';
import { tokenContent } from './ton-token-observations';

/** An item that may belong to an owner. Addresses are raw. */
export interface NftOwnerSubject {
  readonly network: TonNetwork;
  readonly owner: string;
  readonly item: string;
}

/**
 * Data of `ton.nft.owned`; null when the contract is not an item of that owner, or names a collection that does not confirm
 * it.
 */
export const nftObserved = z
  .object({
    /** In its collection, decimal. */
    index: z.string().regex(/^\d+$/),
    /** Raw; null for an item of no collection. */
    collection: z.string().nullable(),
    content: tokenContent,
    /** The domain of an item of TON DNS, without `.ton`; null for others. */
    domain: z.string().nullable(),
  })
  .nullable();
export type NftObserved = z.infer<typeof nftObserved>;

/** Data of `ton.nft.collection`; null when the contract is no collection. */
export const nftCollectionObserved = z.object({ content: tokenContent }).nullable();
export type NftCollectionObserved = z.infer<typeof nftCollectionObserved>;
