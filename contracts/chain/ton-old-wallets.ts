import { z } from 'zod';
import type { TonNetwork } from '../network/network';
import { OLD_VERSIONS } from './ton-wallet';

/** The wallets of a key (hex, lower case) before v4. */
export interface OldWalletsSubject {
  readonly network: TonNetwork;
  readonly publicKey: string;
}

/** So long what was read of them is served from memory, in milliseconds. */
export const OLD_WALLETS_MS = 10_000;
/** Accounts that one read asks a node for. */
export const OLD_WALLETS_COST = OLD_VERSIONS.length;

const decimal = z.string().regex(/^\d+$/);
/** Base64 of 32 bytes. */
const hash = z.string();

/** The state of an account, as the HTTP API v4 of nodes writes it. */
const oldWalletState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('uninit') }),
  z.object({ type: z.literal('active'), codeHash: hash, dataHash: hash }),
  z.object({ type: z.literal('frozen'), stateHash: hash }),
]);

/** One wallet; amounts in nanotons. */
export const oldWallet = z.object({
  address: z.string(),
  version: z.enum(OLD_VERSIONS),
  balance: z.object({ coins: decimal }),
  state: oldWalletState,
  /** Its newest transaction. */
  last: z.object({ lt: decimal, hash }).nullable(),
  storageStat: z
    .object({
      /** Unix seconds. */
      lastPaid: z.int(),
      duePayment: decimal.nullable(),
      used: z.object({ bits: z.int(), cells: z.int(), publicCells: z.int() }),
    })
    .nullable(),
});

/** All of them as of one block; addresses are raw. */
export const oldWalletsRead = z.object({
  /** Of the masterchain. */
  seqno: z.int(),
  wallets: z.array(oldWallet),
});
export type OldWalletsRead = z.infer<typeof oldWalletsRead>;
export type OldWallet = z.infer<typeof oldWallet>;
