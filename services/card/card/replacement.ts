import { isRefusal, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import { cardIdOf } from '../../../contracts/events/card';
import type { CardState } from '../../../projections/card/card-state';
import type { CardMoneyDeps } from '../account/commands';
import { changeCard, payForCard } from './commands';
import { cardKind, type CardOrdering } from './decider';

/**
 * Closes a card that the issuer has replaced, and has the issuer asked for another one of the same account, which costs nothing.
 * Repeated after a crash it goes on where it was: the id of the other card follows from that of the first.
 * @param card as it was just loaded
 */
export async function replaceCard(
  deps: CardMoneyDeps,
  card: CardState,
  metadata: CommandMetadata,
): Promise<{ readonly refusal: Refusal | null }> {
  // No key of a holder has a slash.
  const replacedBy = cardIdOf(card.accountId, `replaces/${card.cardId}`);
  const command = { type: 'replace', replacedBy, metadata } as const;
  const decision = cardKind.decider.decide(card, command);
  if (isRefusal(decision)) return { refusal: decision };
  // First the other card, so that no holder is without one. It takes a place that is given back next.
  const places = { all: 0, open: 0 };
  await changeCard(deps, replacedBy, {
    type: 'order',
    card: inPlaceOf(card, replacedBy),
    ...places,
    metadata,
  });
  const { refusal } = await payForCard(deps, replacedBy, metadata);
  return refusal ? { refusal } : changeCard(deps, card.cardId, command);
}

function inPlaceOf(card: CardState, cardId: string): CardOrdering {
  const { accountId, network, userId, type, schema, design, fiatCurrency, delivery } = card;
  const { productId, personalizationCode, sandbox } = card;
  return {
    cardId,
    accountId,
    network,
    userId,
    type,
    schema,
    design,
    fiatCurrency,
    productId,
    sandbox,
    personalizationCode,
    fee: '0',
    replaces: card.cardId,
    delivery: delivery && { countryCode: delivery.countryCode, details: delivery.details },
  };
}
