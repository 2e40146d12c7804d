import { z } from 'zod';
import { formatTonAddress } from '../../../contracts/account/address';
import type { AccountRef } from '../../../contracts/network/network';
import type {
  CappedKind,
  NotificationCause,
  NotifiedCardEvent,
  PushCause,
} from '../../../contracts/push/push-cause';
import { counted } from '../../../contracts/text/counted';

/** What a device shows, and what it gives to the application when the user taps it. */
export const pushContent = z.object({
  title: z.string(),
  body: z.string(),
  data: z.record(z.string(), z.json()),
});
export type PushContent = z.output<typeof pushContent>;

type OrderStatus = Extract<PushCause, { kind: 'order_status' }>['status'];

const ORDER_TEXTS: Readonly<Record<OrderStatus, string>> = {
  finished: 'Your exchange is finished',
  failed: 'Your exchange has failed',
  refunded: 'Your exchange was refunded',
  hold: 'Your exchange is on hold: its partner has a question',
};

const CARD_TEXTS: Readonly<Record<NotifiedCardEvent, string>> = {
  card_ready: 'Your card is ready',
  card_freeze: 'Your card was frozen',
  card_unfreeze: 'Your card is no longer frozen',
  card_block: 'Your card was blocked',
  contract_closed: 'Your card was closed',
  deposit: 'Your card account was topped up',
  charge: 'Your card was charged',
  charge_failed: 'A payment with your card was declined',
  charge_back: 'Money was returned to your card account',
  confirmation_request: 'A payment with your card waits for your confirmation',
  otp_code: 'There is a code for a payment with your card',
  activation_code: 'There is a code for your card',
};

/**
 * The content of a notification. A locked screen shows it to anybody: no amounts and balances, and nothing that a sender of
 * coins or a merchant has written.
 */
export function contentOf(cause: NotificationCause): PushContent {
  return cause.kind === 'summary' ? summaryContent(cause) : causeContent(cause);
}

const SUMMARIES: Readonly<Record<CappedKind, { title: string; one: string; several: string }>> = {
  incoming_transaction: {
    title: 'Incoming transactions',
    one: 'incoming transaction',
    several: 'incoming transactions',
  },
  order_status: { title: 'Exchange', one: 'change of an exchange', several: 'changes of exchanges' },
  wallet_request: { title: 'Wallet requests', one: 'wallet request', several: 'wallet requests' },
  staking_round: { title: 'Staking', one: 'staking cycle has ended', several: 'staking cycles have ended' },
  staking_withdrawal: { title: 'Staking', one: 'withdrawal is ready', several: 'withdrawals are ready' },
  card_event: { title: 'Card', one: 'event of a card', several: 'events of cards' },
};

function summaryContent({ of, more }: Extract<NotificationCause, { kind: 'summary' }>): PushContent {
  const { title, one, several } = SUMMARIES[of];
  const body = `${counted(more, `more ${one}`, `more ${several}`)} within an hour`;
  return { title, body, data: { type: 'summary', of, more } };
}

function causeContent(cause: PushCause): PushContent {
  const { kind, account } = cause;
  const address = shownAddress(account);
  const data = { type: kind, chain: account.chain, network: account.network, address };
  switch (kind) {
    case 'incoming_transaction':
      return {
        title: 'Incoming transaction',
        body: `${short(address)} has received something`,
        data: { ...data, transaction: cause.transaction, ...linkOf(address, cause) },
      };
    case 'order_status':
      return {
        title: 'Exchange',
        body: ORDER_TEXTS[cause.status],
        data: { ...data, orderId: cause.orderId, status: cause.status },
      };
    case 'wallet_request':
      return {
        title: 'Wallet request',
        body: `${short(address)} is asked to confirm a request`,
        data: { ...data, requestId: cause.requestId, expiresAt: cause.expiresAt },
      };
    case 'staking_round':
      return {
        title: 'Staking',
        body: `A staking cycle of ${short(address)} has ended`,
        data: { ...data, ...poolOf(cause) },
      };
    case 'staking_withdrawal':
      return {
        title: 'Withdraw ready',
        body: `A withdrawal of ${short(address)} is ready`,
        data: { ...data, ...poolOf(cause) },
      };
    case 'card_event': {
      const { event, eventId, accountId, cardId } = cause;
      // As the application reads it, which goes by `holders-push` to the account or the card.
      const ids = { accountId, eventId, ...(cardId !== null && { cardId }) };
      return {
        title: 'Card',
        body: CARD_TEXTS[event],
        data: { type: 'holders-push', addresses: [address], ...ids },
      };
    }
  }
}

/** Where the application opens a transaction of TON, by `ton://tx/<address>/<lt>_<hash>`. It has no such link of Solana. */
function linkOf(
  address: string,
  { transaction, lt }: Extract<PushCause, { kind: 'incoming_transaction' }>,
): { readonly lt: string; readonly url: string } | null {
  return lt === null ? null : { lt, url: `ton://tx/${address}/${lt}_${encodeURIComponent(transaction)}` };
}

function poolOf({
  account,
  pool,
  round,
}: Extract<PushCause, { kind: 'staking_round' | 'staking_withdrawal' }>) {
  // Only TON has such pools.
  const shown = account.chain === 'ton' ? formatTonAddress(pool, account.network) : pool;
  return { pool: shown, round };
}

/** As wallets show it: on TON friendly and not bounceable. */
const shownAddress = ({ chain, network, address }: AccountRef): string =>
  chain === 'ton' ? formatTonAddress(address, network, false) : address;

const short = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;
