import type { FinalStatus } from './ton-outcome';
import type { TransactionRef } from './ton-transaction';

/**
 * What happened, in the words of TON Center v3 (`actions`), where it has one. `jetton_swap` is any exchange of one asset
 * for another with a contract; `batch` several different things that the owner requested at once.
 */
export const TON_ACTION_KINDS = [
  'ton_transfer',
  'extra_currency_transfer',
  'jetton_transfer',
  'jetton_mint',
  'jetton_burn',
  'jetton_swap',
  'nft_transfer',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'contract_deploy',
  'call_contract',
  'batch',
  'unknown',
] as const;
export type TonActionKind = (typeof TON_ACTION_KINDS)[number];

/** Addresses are raw. */
export type TonAsset =
  | { readonly type: 'ton' }
  | { readonly type: 'extra_currency'; readonly id: string }
  | { readonly type: 'jetton'; readonly master: string }
  | { readonly type: 'nft'; readonly address: string };

/** An amount in the smallest unit of its asset. */
export interface AssetAmount {
  readonly asset: TonAsset;
  readonly amount: string;
}

/** What a contract has promised to pay. */
export interface OwedAmount extends AssetAmount {
  /** Unix seconds; null when the rounds of a pool decide. What is asked for later may make it wait longer. */
  readonly payableAt: number | null;
}

/** One thing that happened. Addresses are raw. */
export interface TonActionPart {
  readonly kind: TonActionKind;
  readonly status: FinalStatus;
  /** Null when nobody sent anything, such as the tokens of a mint. */
  readonly sender: string | null;
  /** The intended one when it failed. Null when the transaction does not show it. */
  readonly receiver: string | null;
  /**
   * What was sent, or would have been; where only a bounce in the older format shows it, what came back. Null when nothing
   * was, or the amount is everything that there is. Of a `stake_deposit` what was staked, with the pool's fee where that is not
   * known. Of a `stake_withdrawal` that has `received` nothing, what was paid; of a part
   * that the pool does not name, without what it took for it.
   */
  readonly asset: TonAsset | null;
  readonly amount: string | null;
  /** What the account got for it: also the jettons of a liquid pool, or of USDe, for a stake. */
  readonly received: AssetAmount | null;
  /** What it will be paid for it. Absent when that is nothing, or is not known. */
  readonly owed?: OwedAmount;
  readonly comment: string | null;
  /**
   * Nanotons beside what is shown as the amount: those that reached the receiver of tokens with them, and those of the message
   * that carries an extra currency; 0 otherwise.
   */
  readonly forwarded: string;
}

/** What one transaction of an account, with everything that it caused, means to the owner. */
export interface TonAction extends TonActionPart, TransactionRef {
  /** Unix seconds. */
  readonly time: number;
  /**
   * Nanotons that the owner paid and nobody named here received: fees of the network, and what contracts took on the way.
   * Until the trace is complete, and when somebody else began it, only the fees of the account's own transactions.
   */
  readonly fee: string;
  /** Each thing that the owner requested at once: one or more. */
  readonly parts: readonly TonActionPart[];
  /** The account's own transactions that this one caused, which are no actions of their own. */
  readonly members: readonly TransactionRef[];
}
