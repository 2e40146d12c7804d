import { z } from 'zod';
import type { TonNetwork } from '../network/network';
import { jettonMasterState } from './ton-token-observations';

/** The address is raw. */
export interface TonContractSubject {
  readonly network: TonNetwork;
  readonly address: string;
}

/** Versions of the wallet contract whose code is public, as `@ton/ton` names them. */
export const WALLET_VERSIONS = [
  'v1r1',
  'v1r2',
  'v1r3',
  'v2r1',
  'v2r2',
  'v3r1',
  'v3r2',
  'v4r1',
  'v4r2',
  'v5beta',
  'v5r1',
] as const;
export type WalletVersion = (typeof WALLET_VERSIONS)[number];

/**
 * Messages that one external message can make a wallet send: the code of versions 1 to 4 takes 4 references (1 in the first
 * version), that of version 5 as many actions as the virtual machine has.
 */
export function messagesPerTransaction(version: WalletVersion): number {
  if (version.startsWith('v1')) return 1;
  return version.startsWith('v5') ? 255 : 4;
}

/** Decimal, in the smallest unit. */
const amount = z.string().regex(/^\d+$/);
/** Raw. */
const address = z.string();

/** What a contract is: wallets by their code, the others as the contracts that they name confirm them. */
export const tonContract = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('wallet'),
    version: z.enum(WALLET_VERSIONS),
    /** Hex of 32 bytes: whose signatures it accepts; null when it accepts none. */
    publicKey: z.string().nullable(),
  }),
  z.object({ kind: z.literal('jetton-wallet'), balance: amount, owner: address, master: address }),
  z.object({ kind: z.literal('jetton-master'), ...jettonMasterState.shape }),
  z.object({
    kind: z.literal('nft-item'),
    index: amount,
    /** Null: the item is of no collection, and nothing confirms it. */
    collection: address.nullable(),
    owner: address.nullable(),
  }),
  z.object({ kind: z.literal('dedust-vault') }),
]);
export type TonContract = z.infer<typeof tonContract>;

/** Data of `ton.contract`. */
export const tonContractObserved = z.object({
  state: z.enum(['active', 'uninitialized', 'frozen', 'non-existing']),
  /** Base64; null unless active. */
  codeHash: z.string().nullable(),
  /** Null when it is of no known kind. */
  contract: tonContract.nullable(),
});
export type TonContractObserved = z.infer<typeof tonContractObserved>;
