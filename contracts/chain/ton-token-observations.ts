import { z } from 'zod';
import type { TonNetwork } from '../network/network';

/** A jetton wallet of an owner. Addresses are raw. */
export interface JettonBalanceSubject {
  readonly network: TonNetwork;
  readonly owner: string;
  readonly wallet: string;
}

/** Addresses are raw. */
export interface JettonOwnerSubject {
  readonly network: TonNetwork;
  readonly master: string;
  readonly owner: string;
}

/** What a jetton's own server says to an owner. Addresses are raw. */
export interface CustomPayloadSubject extends JettonOwnerSubject {
  /** Where the server is, as the jetton says. */
  readonly uri: string;
}

const units = z.string().regex(/^\d+$/);

/** Data of `ton.jetton.wallet`; null when the contract is not a jetton wallet that its master confirms. Addresses are raw. */
export const jettonWalletObserved = z
  .object({
    /** Smallest units of the jetton. */
    balance: units,
    owner: z.string(),
    master: z.string(),
  })
  .nullable();
export type JettonWalletObserved = z.infer<typeof jettonWalletObserved>;

/** Data of `ton.jetton.balance`; null when it is not a jetton wallet of that owner. */
export const jettonBalanceObserved = z.object({ balance: units, master: z.string() }).nullable();
export type JettonBalanceObserved = z.infer<typeof jettonBalanceObserved>;

/** What a token says of itself (TEP-64, and TEP-176 for the last two); null where it says nothing. */
export const tokenAttributes = z.object({
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  image: z.string().nullable(),
  decimals: z.int().min(0).max(255).nullable(),
  customPayloadApiUri: z.string().nullable(),
  mintlessMerkleDumpUri: z.string().nullable(),
  /** Of the image that the token itself contains, where it names none: the first 16 bytes of its SHA-256, hex. */
  imageDigest: z.string().exactOptional(),
});
export type TokenAttributes = z.infer<typeof tokenAttributes>;

/** The content cell of a token (TEP-64). */
export const tokenContent = z.object({
  /** `semichain`: attributes on the chain and more in the document at `uri`. `unreadable`: of no known form. */
  kind: z.enum(['onchain', 'offchain', 'semichain', 'unreadable']),
  /** Where the document with further attributes is. */
  uri: z.string().nullable(),
  attributes: tokenAttributes,
});
export type TokenContent = z.infer<typeof tokenContent>;

/** The image that a token contains, decoded and encoded again; null when there is none that can be shown. */
export const tokenImageRead = z
  .object({
    /** Of what the token contains, as `imageDigest`. */
    digest: z.string(),
    /** WebP in base64. */
    webp: z.string(),
  })
  .nullable();
export type TokenImageRead = z.infer<typeof tokenImageRead>;

/** What a jetton master says of itself (TEP-74). */
export const jettonMasterState = z.object({
  /** Smallest units. */
  totalSupply: units,
  mintable: z.boolean(),
  /** Raw; null for a jetton without an owner. */
  admin: z.string().nullable(),
  content: tokenContent,
});

/** Data of `ton.jetton.master`; null when the contract is not a jetton master. */
export const jettonMasterObserved = jettonMasterState.nullable();
export type JettonMasterObserved = z.infer<typeof jettonMasterObserved>;

/** Data of `token.document`; null when none of the document's reads has succeeded. */
export const tokenDocumentObserved = tokenAttributes
  .extend({
    /** Of an NFT item, in the order of the document. */
    traits: z.array(z.object({ traitType: z.string(), value: z.string() })),
    /** URL of an animation. */
    lottie: z.string().nullable(),
  })
  .nullable();
export type TokenDocumentObserved = z.infer<typeof tokenDocumentObserved>;

/** Data of `ton.jetton.payload`; null when none of the reads has succeeded. */
export const customPayloadObserved = z
  .object({
    /** The jetton wallet of the owner, raw. */
    wallet: z.string(),
    /** On the chain; `0` while the wallet is not deployed. */
    balance: units,
    /** Base64 BoC that the owner attaches to a transfer; null when there is none. */
    customPayload: z.string().nullable(),
    /** Base64 BoC of the wallet's state. */
    stateInit: z.string().nullable(),
    /** Of jettons that the payload mints (TEP-177), as the root that the master names proves; null when it mints none. */
    claim: z
      .object({
        amount: units,
        /** Unix seconds, and so is the next one. */
        startFrom: z.int(),
        expiresAt: z.int(),
      })
      .nullable(),
  })
  .nullable();
export type CustomPayloadObserved = z.infer<typeof customPayloadObserved>;

const poolAsset = z.discriminatedUnion('type', [
  z.object({ type: z.literal('native') }),
  /** Of the master, raw. */
  z.object({ type: z.literal('jetton'), address: z.string() }),
]);

/** Data of `ton.jetton.pool`; null when the jetton is no share of a pool that its exchange confirms. */
export const jettonPoolObserved = z
  .object({
    exchange: z.enum(['dedust', 'ston-fi']),
    assets: z.tuple([poolAsset, poolAsset]),
  })
  .nullable();
export type JettonPoolObserved = z.infer<typeof jettonPoolObserved>;

/** Data of `ton.extra.currencies`. */
export const extraCurrenciesObserved = z.object({
  /** Logical time of the newest transaction that the balance includes; `0` before the first. */
  lt: units,
  /** Smallest units by the id of the currency, without those of which there is nothing. */
  amounts: z.record(units, units),
});
export type ExtraCurrenciesObserved = z.infer<typeof extraCurrenciesObserved>;
