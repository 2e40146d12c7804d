import {
  CARD_ACCOUNT_CATEGORY,
  cardAccountEvents,
  type CardFee,
} from '../../../contracts/events/card-account';
import { fiatDecimals } from '../../../contracts/money/fiat-decimals';
import { formatAmount } from '../../../contracts/money/money';
import type { RecordedEvent } from '../../../contracts/ports/event-store';

/** Decimals of `Amount`. */
const DECIMALS = 18;

const MERCHANT = { id: 'card-issuer', name: 'Card issuer', slug: 'card-issuer' };

/**
 * What is earned with purchases as billing wants to know it, with the issuer as the merchant, and what falls away when all of a purchase is
 * given back. Of cards in another currency than that of the ledger nothing is.
 * @param currency of the ledger
 */
export function cardEarnings(currency: string) {
  return {
    name: 'card',
    categories: [CARD_ACCOUNT_CATEGORY],
    earned(recorded: RecordedEvent) {
      const { type, data } = cardAccountEvents.read(recorded);
      switch (type) {
        case 'CardPurchaseCleared':
          return (data.earned ? [data.earned] : [])
            .filter(fee => fee.currency === currency)
            .map(fee => earnedFee(data.accountId, fee, 'pending'));
        case 'CardPurchaseRefunded':
        case 'CardPurchaseChargedBack':
          return data.reversedFees
            .filter(fee => fee.currency === currency)
            .map(fee => earnedFee(data.accountId, fee, 'waived'));
        default:
          return null;
      }
    },
  };
}

function earnedFee(
  accountId: string,
  { entryId, amount, gross, currency, at }: CardFee,
  status: 'pending' | 'waived',
) {
  const decimal = (minor: string) =>
    formatAmount(BigInt(minor) * 10n ** BigInt(DECIMALS - fiatDecimals(currency)));
  return {
    source: 'card' as const,
    reference: `${accountId}/${entryId}`,
    merchant: MERCHANT,
    fee_type: 'interchange',
    fee_amount: decimal(amount),
    gross_amount: decimal(gross),
    earnedAt: at,
    status,
  };
}
