import type { JettonOperation } from './ton-jetton';

/** A transaction of an account by logical time and hash (base64). Before the first one: lt `0`. */
export interface TransactionRef {
  readonly lt: string;
  readonly hash: string;
}

export type TonAccountStatus = 'uninitialized' | 'frozen' | 'active' | 'non-existing';

/** A message to or from a nominator pool. Stake in nanotons; 0 withdraws all of it. */
export type StakingOperation =
  | { readonly type: 'deposit' }
  | { readonly type: 'deposit_response' }
  | { readonly type: 'withdraw'; readonly stake: string };

/** An external address (`addr_extern`): its length in bits and its bits as hex. */
export interface ExternalAddressData {
  readonly bits: number;
  readonly data: string;
}

export type TonMessageInfo =
  | {
      readonly type: 'internal';
      readonly src: string;
      readonly dest: string;
      readonly value: string;
      readonly bounce: boolean;
      readonly bounced: boolean;
      readonly ihrDisabled: boolean;
      readonly ihrFee: string;
      readonly fwdFee: string;
      readonly createdLt: string;
      readonly createdAt: number;
      /** Amounts by currency id; absent when the message carries none. */
      readonly extraCurrency?: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'external-in';
      readonly dest: string;
      readonly src: ExternalAddressData | null;
      readonly importFee: string;
    }
  | { readonly type: 'external-out'; readonly src: string; readonly dest: ExternalAddressData | null };

export interface TonStateInit {
  readonly splitDepth: number | null;
  /** Base64 BoC. */
  readonly code: string | null;
  readonly data: string | null;
  readonly special: { readonly tick: boolean; readonly tock: boolean } | null;
}

/** Addresses are raw, amounts nanotons. */
export interface TonMessage {
  readonly info: TonMessageInfo;
  readonly init: TonStateInit | null;
  /** Base64 BoC. */
  readonly body: string;
  /** First 32 bits of the body; of the returned body when bounced; null when it is shorter. */
  readonly op: number | null;
  /** Set when the body is a text comment (op 0). */
  readonly comment: string | null;
  readonly jetton: JettonOperation | null;
  readonly staking: StakingOperation | null;
}

/** A transaction as decoded. Hashes are base64, amounts nanotons, addresses raw. */
export interface TonTransaction extends TransactionRef {
  readonly account: string;
  readonly prev: TransactionRef;
  /** Unix seconds. */
  readonly time: number;
  readonly statusBefore: TonAccountStatus;
  readonly statusAfter: TonAccountStatus;
  /** Hashes of the account's state. */
  readonly stateBefore: string;
  readonly stateAfter: string;
  readonly fees: string;
  readonly inMessage: TonMessage | null;
  readonly outMessages: readonly TonMessage[];
  /** `out` when the owner initiated it: by an external message, by a signed request through a relayer, or without a message. */
  readonly direction: 'in' | 'out';
  readonly success: boolean;
  /** Of the compute phase; null when it was skipped. */
  readonly exitCode: number | null;
  /** Of the action phase; null when there was none. */
  readonly actionCode: number | null;
  /** The sequence number that the owner of the wallet signed. */
  readonly walletSeqno: number | null;
  /** Hashes of the external message: of its cell as sent, and normalized (TEP-467). */
  readonly external: { readonly hash: string; readonly normalized: string } | null;
}
