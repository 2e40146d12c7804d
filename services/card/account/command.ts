import type { CommandMetadata } from '../../../contracts/decider';
import type {
  CardAccountEvent,
  CardAccountState,
  CardAmounts,
  CardDeclineReason,
  CardEntry,
  CardLimits,
  CardMerchant,
  CardTransfer,
} from '../../../contracts/events/card-account';

export type CardAccountOpening = Omit<Extract<CardAccountEvent, { type: 'CardAccountOpened' }>['data'], 'at'>;

type ChainTransfer = Extract<CardAccountEvent, { type: 'CardAccountToppedUp' }>['data']['chain'];

/** One message about a transaction. */
export interface Movement {
  /** Of the issuer; it is unique in an account. */
  readonly transactionId: string;
  /** Null of a top-up. */
  readonly cardId: string | null;
  /** Of the message: the same one is recorded once. */
  readonly entryId: string;
  /** When it happened, by the issuer: RFC 3339 UTC instant. */
  readonly occurredAt: string;
  /** The entries of the transaction, where the state of the account has dropped it. */
  readonly archived: readonly CardEntry[];
}

/** One about a purchase. */
export interface PurchaseMovement extends Movement {
  readonly cardId: string;
  readonly amounts: CardAmounts;
  readonly merchant: CardMerchant | null;
}

export type CardAccountCommand = { readonly metadata: CommandMetadata } & (
  | { readonly type: 'open'; readonly account: CardAccountOpening }
  | {
      readonly type: 'changeState';
      readonly to: CardAccountState;
      readonly by: 'holder' | 'operator' | 'issuer' | 'program';
    }
  | {
      readonly type: 'changeLimits';
      readonly limits: CardLimits;
      readonly by: 'holder' | 'operator' | 'issuer';
    }
  /** The issuer waits for the answer. `blocked`: why the card or its user may not buy; null when they may. */
  | ({
      readonly type: 'authorise';
      readonly isIncrement: boolean;
      readonly blocked: CardDeclineReason | null;
    } & PurchaseMovement)
  /** What has happened at the issuer: never refused. */
  | ({ readonly type: 'recordAuthorised' } & PurchaseMovement)
  | ({ readonly type: 'recordIncremented' } & PurchaseMovement)
  | ({ readonly type: 'recordReversed' } & PurchaseMovement)
  | ({ readonly type: 'recordVoided' | 'recordExpired' } & Movement)
  | ({
      readonly type: 'recordCleared';
      /** What of the authorisation it clears, in the smallest unit of the currency that was authorised. */
      readonly ofAuthorisation: string;
      readonly final: boolean;
      readonly forced: boolean;
      /** In the smallest unit of the card's currency. */
      readonly interchange: string | null;
    } & PurchaseMovement)
  /** Of the transaction of the purchase, where the issuer knows it. `full`: all of the purchase is given back. */
  | ({ readonly type: 'recordRefunded' | 'recordChargedBack'; readonly full: boolean } & PurchaseMovement)
  | ({ readonly type: 'recordChargebackReversed' } & PurchaseMovement)
  /** In units of the account. The entry is named by `inclusionOf` the transfer; of several that were not taken back one counts. */
  | ({ readonly type: 'topUp'; readonly amount: string; readonly chain: ChainTransfer } & Movement)
  /** The chain does not have the transfer there any more: nothing is posted for that, whichever is seen first. */
  | ({ readonly type: 'reverseTopUp'; readonly inclusion: string; readonly chain: ChainTransfer } & Movement)
  | ({ readonly type: 'chargeFee'; readonly amount: string } & Movement)
  /** What was charged for a card; nothing where nothing was. */
  | ({ readonly type: 'returnFee' } & Movement)
  /** `receiveTransfer`: it was sent, and is never refused. */
  | ({ readonly type: 'sendTransfer' | 'receiveTransfer'; readonly transfer: CardTransfer } & Movement)
  /** Those whose last change is at the instant given with them. */
  | { readonly type: 'archive'; readonly changedAt: Readonly<Record<string, string>> }
);

export type CommandOf<Type extends CardAccountCommand['type']> = Extract<
  CardAccountCommand,
  { readonly type: Type }
>;
