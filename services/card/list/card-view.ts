import type { CardBalance } from '../../../contracts/events/card-account';
import type { CardDelivery } from '../../../contracts/http/card/own-cards';
import type { CardDeliveryView, DebitCardView, PrepaidCardView } from '../../../contracts/http/card/fields';
import { formatFiat } from '../../../contracts/money/fiat-decimals';
import { readJson } from '../../../contracts/json/read-json';
import { availableOf } from '../account/balance';
import { cardStatus, type CardState } from '../../../projections/card/card-state';
import type { PersonalTexts } from '../../personal-texts/personal-text';

/** Where a card of plastic is sent. */
export type DecryptedDelivery = Omit<CardDelivery, 'countryCode'>;

/** Once it was erased. */
const ERASED: DecryptedDelivery = { address: '', phone: '', email: '', deliveryMethod: 'standard' };

/** Where cards are sent, in the same order; null of a card that is not of plastic. */
export async function deliveriesOf(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  cards: readonly CardState[],
): Promise<readonly (DecryptedDelivery | null)[]> {
  const sent = cards.flatMap(({ delivery }) => (delivery ? [delivery.details] : []));
  const decrypted = (await texts.decryptAll(sent)).values();
  return cards.map(({ delivery }) => {
    if (!delivery) return null;
    const text = decrypted.next().value ?? null;
    return text === null ? ERASED : (readJson(text) as unknown as DecryptedDelivery);
  });
}

/** A card as wallets list it with its account. */
export function debitCardView(card: CardState, to: DecryptedDelivery | null): DebitCardView {
  return { ...commonView(card, to), type: 'DEBIT' };
}

/**
 * A prepaid card as wallets list it; one that was replaced has nothing, as the other one has the same account.
 * @param balance of its account: what is held is not shown, and a debt is shown as nothing
 */
export function prepaidCardView(
  card: CardState,
  to: DecryptedDelivery | null,
  balance: Pick<CardBalance, 'posted' | 'held'>,
): PrepaidCardView {
  const available = card.replacedBy === null ? availableOf(balance) : 0n;
  const fiatBalance = formatFiat(available > 0n ? available : 0n, card.fiatCurrency);
  return { ...commonView(card, to), type: 'PREPAID', fiatBalance };
}

function commonView(card: CardState, to: DecryptedDelivery | null): Omit<DebitCardView, 'type'> {
  const { delivery, lastFourDigits, design } = card;
  return {
    id: card.cardId,
    status: cardStatus(card),
    fiatCurrency: card.fiatCurrency,
    productId: card.productId,
    personalizationCode: card.personalizationCode,
    schema: card.schema,
    createdAt: card.createdAt,
    updatedAt: card.updatedAt,
    provider: 'tidemark',
    kind: delivery ? 'plastic' : 'virtual',
    ...(lastFourDigits !== null && { lastFourDigits }),
    ...(design !== null && { design }),
    ...(delivery?.status && to && { delivery: deliveryView(card.cardId, delivery, to) }),
  };
}

function deliveryView(
  id: string,
  delivery: NonNullable<CardState['delivery']>,
  to: DecryptedDelivery,
): CardDeliveryView {
  const { status, countryCode, trackNumber } = delivery;
  return {
    ...to,
    id,
    status: status!,
    countryCode,
    ...(trackNumber !== null && { trackNumber }),
  };
}
