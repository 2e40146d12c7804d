import type { CardAmounts, CardMerchant, CardTransfer } from '../../../contracts/events/card-account';
import type { CardEventView } from '../../../contracts/http/card/accounts';
import { formatFiat } from '../../../contracts/money/fiat-decimals';
import type { CardHistoryDocument, CardHistoryEvent } from '../../../projections/card/history';
import { convert } from '../account/conversion';

type View = CardEventView extends infer Each
  ? Each extends { readonly type: string; readonly data: unknown }
    ? Pick<Each, 'type' | 'data'>
    : never
  : never;

/** What happened, as wallets list it. @param cardId that was asked for: events of its account are listed with it */
export function eventView({ _id: id, at, event }: CardHistoryDocument, cardId: string): CardEventView {
  const view = viewOf(event as unknown as CardHistoryEvent);
  return { id, cardId, time: Date.parse(at), ...view } as CardEventView;
}

function viewOf({ type, data }: CardHistoryEvent): View {
  const { accountId } = data;
  switch (type) {
    case 'CardIssued':
      return { type: 'card_ready', data: { accountId } };
    case 'CardPaid':
      return { type: 'card_paid', data: { amount: data.amount } };
    case 'CardClosed':
    case 'CardIssuingFailed':
    case 'CardReplaced':
      return { type: 'contract_closed', data: {} };
    case 'CardFrozen':
      return { type: 'card_freeze', data: { reason: data.reason } };
    case 'CardBlocked':
      return { type: 'card_block', data: { reason: data.reason } };
    case 'CardUnfrozen':
      return { type: 'card_unfreeze', data: { byUser: data.by === 'holder' } };
    case 'CardChangeRefused':
      return data.to === 'frozen'
        ? { type: 'card_freeze', data: { reason: data.reason } }
        : { type: 'card_unfreeze', data: { byUser: false } };
    case 'CardAccountToppedUp':
      return { type: 'deposit', data: { accountId, amount: data.amount, ...chainTransaction(data.chain) } };
    case 'CardAccountTopUpReversed':
      return { type: 'crypto_account_withdraw', data: { accountId, amount: data.amount } };
    case 'CardFeeReturned':
      return { type: 'deposit', data: { accountId, amount: data.amount } };
    case 'CardTransferSent':
      return data.cardId === null
        ? { type: 'crypto_account_withdraw', data: { accountId, amount: data.from.amount } }
        : { type: 'card_withdraw', data: { accountId, amount: fiatOf(data.from) } };
    case 'CardTransferReceived':
      return data.cardId === null
        ? { type: 'deposit', data: { accountId, amount: data.to.amount } }
        : { type: 'prepaid_topup', data: loaded(data) };
    case 'CardAccountLimitsChanged': {
      const { limits, effectiveAt, at } = data;
      return { type: 'limits_change', data: { accountId, limits, pending: effectiveAt > at } };
    }
    case 'CardPurchaseDeclined': {
      const [, limit] = /^limit_(daily|monthly|onetime)$/.exec(data.reason) ?? [];
      const reason = { type: data.reason, ...(limit !== undefined && { limit: limit as 'daily' }) };
      return { type: 'charge_failed', data: { ...purchase(data), reason } };
    }
    case 'CardPurchaseAuthorised':
    case 'CardPurchaseIncremented':
    case 'CardPurchaseReversed':
    case 'CardPurchaseCleared': {
      const charged = BigInt(data.charged);
      return charged > 0n
        ? { type: 'charge', data: purchase(partOf(data, charged)) }
        : { type: 'charge_back', data: { ...purchase(partOf(data, -charged)), action: 'purchase' } };
    }
    case 'CardChargebackReversed':
      return { type: 'charge', data: purchase(data) };
    case 'CardPurchaseRefunded':
      return { type: 'charge_back', data: { ...purchase(data), action: 'refund' } };
    case 'CardPurchaseVoided':
    case 'CardPurchaseExpired': {
      const released = purchase({ ...data, amounts: data.released!, merchant: null });
      return { type: 'charge_back', data: { ...released, action: 'purchase' } };
    }
    case 'CardPurchaseChargedBack':
      return { type: 'charge_back', data: { ...purchase(data), action: 'other' } };
  }
}

const fiatOf = ({ amount, currency }: CardTransfer['to']): string => formatFiat(BigInt(amount), currency);

function loaded({ from, to }: CardTransfer) {
  const { currency: cryptoCurrency, amount: cryptoAmount } = from;
  return { amount: fiatOf(to), currency: to.currency, cryptoCurrency, cryptoAmount };
}

interface Purchase {
  readonly accountId: string;
  readonly transactionId: string;
  readonly amounts: CardAmounts;
  readonly merchant: CardMerchant | null;
}

/** So much of the purchase: what the merchant's currency has of a part nobody says. @param fiat in the smallest unit of the card's currency */
function partOf({ amounts, ...rest }: Purchase, fiat: bigint): Purchase {
  if (BigInt(amounts.fiat.amount) === fiat) return { ...rest, amounts };
  const money = { amount: fiat.toString(), currency: amounts.fiat.currency };
  return { ...rest, amounts: { ...amounts, merchant: money, fiat: money } };
}

function purchase({ accountId, transactionId: ref, amounts, merchant }: Purchase) {
  const { merchant: txn, fiat, rate } = amounts;
  return {
    accountId,
    amount: convert(BigInt(fiat.amount), rate).units.toString(),
    currency: fiat.currency,
    currencyAmount: formatFiat(BigInt(fiat.amount), fiat.currency),
    txnCurrency: txn.currency,
    txnCurrencyAmount: formatFiat(BigInt(txn.amount), txn.currency),
    ref,
    ...(merchant && { merchantInfo: known(merchant) }),
  };
}

/** Without what the issuer does not say: wallets refuse null. */
function known(merchant: CardMerchant) {
  const { dirtyName, ...rest } = merchant;
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return { ...(said as Record<string, string>), dirtyName };
}

/** Of TON: wallets know no other chain there. */
function chainTransaction({
  account,
  hash,
  lt,
}: Extract<CardHistoryEvent, { type: 'CardAccountToppedUp' }>['data']['chain']) {
  if (account.chain !== 'ton' || lt === null) return {};
  const network = `ton-${account.network}` as const;
  return { chainTx: { lt, hash, address: account.address, network } };
}
