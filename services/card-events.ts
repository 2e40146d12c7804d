import type { TonAccount } from '../contracts/account/ton-account';
import type { CardHistoryItem, CardSelection } from '../contracts/http/history/history';
import type { AnyCall } from './http/call';

/** Whose card events are asked for, and which. */
export interface CardEventsRequest {
  /** The wallet whose history it is. */
  readonly wallet: TonAccount;
  readonly token: string;
  readonly selection: CardSelection;
}

/** A card event, and its place in the history. */
export interface PlacedCardEvent {
  readonly place: string;
  readonly event: CardHistoryItem['data'];
}

/** The next card events after a place, newest first. */
export type ReadCardEvents = (page: {
  readonly before: string | null;
  readonly limit: number;
}) => Promise<{ readonly events: readonly PlacedCardEvent[]; readonly more: boolean }>;

/**
 * The card events of the holder of a token, as they are shown in the history of a wallet of the same holder: in that of others
 * there are none.
 * @throws Problem 401 `card_token_invalid`, 429 `rate_limited`
 */
export type CardEvents = (
  request: CardEventsRequest,
  call: Pick<AnyCall, 'ip' | 'appendHeader'>,
) => Promise<ReadCardEvents>;
