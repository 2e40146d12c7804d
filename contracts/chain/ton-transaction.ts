import type { JettonOperation } from './ton-jetton';
import type { NftOperation } from './ton-nft';

/** A transaction of an account by logical time and hash (base64). Before the first one: lt `0`. */
export interface TransactionRef {
  readonly lt: string;
  readonly hash: string;
}

export type TonAccountStatus = 'uninitialized' | 'frozen' | 'active' | 'non-existing';

/** Operation of the message by which nominator pools and liquid pools pay a withdrawal. */
export const WITHDRAW_RESPONSE_OP = 0x23d421e1;

/**
 * A message to or from a staking contract. The same operation has another layout at another kind of contract.
 * Nominator pools (tonwhales/ton-nominators): stake in nanotons; 0 withdraws all of it. A liquid pool pays a withdrawal as they
 * do, with `withdraw_response`.
 */
export type StakingOperation =
  | { readonly type: 'deposit' | 'deposit_response' | 'withdraw_delayed' | 'withdraw_response' }
  | { readonly type: 'withdraw'; readonly stake: string }
  | LiquidStakingOperation
  | UsdeOperation;

/** At a liquid pool. TON in nanotons; 0 jettons are all. */
export type LiquidStakingOperation =
  | { readonly type: 'liquid_deposit'; readonly amount: string }
  | { readonly type: 'liquid_withdraw'; readonly jettons: string }
  | { readonly type: 'liquid_collect' }
  /** From the pool to a wallet of its jetton: what the pool owes for the jettons that were burnt. */
  | { readonly type: 'liquid_owed'; readonly round: number; readonly amount: string };

/** At the wallets of staked USDe. Units of USDe, Unix seconds, raw addresses. */
export type UsdeOperation =
  /** From the owner. The destination is the master. */
  | { readonly type: 'usde_claim'; readonly amount: string; readonly destination: string }
  /** From the master: what can be claimed then. */
  | { readonly type: 'usde_lock'; readonly amount: string; readonly unlockAt: number };

/** A message to the account of a payment card. Amounts in nanotons; a limit of 0 is no limit. */
export type CardOperation =
  | { readonly type: 'account_top_up'; readonly amount: string }
  | {
      readonly type: 'account_limits_change';
      readonly onetime: string;
      readonly daily: string;
      readonly monthly: string;
    };

/** What the request to a wallet changes besides sending messages. Addresses are raw. */
export type WalletOperation =
  | {
      readonly type: 'deploy_plugin' | 'install_plugin' | 'remove_plugin';
      readonly plugin: string;
    }
  | { readonly type: 'add_extension' | 'remove_extension'; readonly extension: string }
  | { readonly type: 'set_signature_allowed'; readonly allowed: boolean };

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
      /** Always 0 since version 12 of the network, which replaced it by `extraFlags`. */
      readonly ihrFee: string;
      /** Which bounce the sender asked for: 1 for the format of version 12, with 2 for the whole body in it. */
      readonly extraFlags: number;
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
  /** Absent when there are none. */
  readonly libraries?: readonly StateInitLibrary[];
}

/** A library of a state init; `root` is a base64 BoC, the hash is base64. */
export interface StateInitLibrary {
  readonly hash: string;
  readonly public: boolean;
  readonly root: string;
}

/** Why a message came back, in a bounce of the format of version 12 of the network. */
export interface TonBounce {
  /** The phase that failed at the receiver. */
  readonly phase: 'compute_skipped' | 'compute' | 'action' | 'unknown';
  /** Of the compute or action phase; when the former was skipped: -1 no state, -2 bad state, -3 no gas, -4 suspended. */
  readonly exitCode: number;
  /** Of the message that came back. */
  readonly value: string;
  readonly createdLt: string;
  readonly createdAt: number;
}

/** What a message says. Addresses are raw, amounts nanotons. */
export interface TonMessageContent {
  readonly info: TonMessageInfo;
  readonly init: TonStateInit | null;
  /** Base64 BoC. */
  readonly body: string;
  /** First 32 bits of the body; of the returned body when bounced; null when it is shorter. */
  readonly op: number | null;
  /** Set when the body is a text comment (op 0). When bounced: as much of it as was returned. */
  readonly comment: string | null;
  readonly jetton: JettonOperation | null;
  readonly nft: NftOperation | null;
  readonly staking: StakingOperation | null;
  readonly card: CardOperation | null;
  /** Null unless bounced, and in the older format, which says nothing but the start of the body. */
  readonly bounce: TonBounce | null;
}

/** The accounts (raw) that a message comes from and goes to; none of a message from or to outside the chain. */
export function endsOf({ info }: Pick<TonMessageContent, 'info'>): readonly string[] {
  return info.type === 'internal' ? [info.src, info.dest] : [];
}

export interface TonMessage extends TonMessageContent {
  /** Of the cell of the message (base64): the same in the transactions of its sender and of its receiver. */
  readonly hash: string;
}

/** A message that the owner of a wallet requested and that was not sent. Its logical time is 0. */
export interface UnsentMessage extends TonMessageContent {
  /** Send mode: with 128 the value is all of the balance, whatever `info.value` says. */
  readonly mode: number;
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
  /** False when a phase failed, when the incoming message was returned, and when none of what the owner requested was sent. */
  readonly success: boolean;
  /** Of the compute phase; null when it was skipped. */
  readonly exitCode: number | null;
  /** Of the action phase; null when there was none. */
  readonly actionCode: number | null;
  /** Actions that were ignored because they failed (send mode +2), such as transfers that the balance does not cover. */
  readonly skippedActions: number;
  /** Requested by the owner but not sent, in the order of the request. */
  readonly unsent: readonly UnsentMessage[];
  /** Changes of the wallet itself that its owner requested. */
  readonly walletOperations: readonly WalletOperation[];
  /** The sequence number that the owner of the wallet signed. */
  readonly walletSeqno: number | null;
  /** Hashes of the external message: of its cell as sent, and normalized (TEP-467). */
  readonly external: { readonly hash: string; readonly normalized: string } | null;
}
