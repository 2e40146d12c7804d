import type { CommandMetadata, Refusal } from '../../../contracts/decider';
import { cardStream, type CardEvent } from '../../../contracts/events/card';
import type { CardState } from '../../../projections/card/card-state';
import type { Outcome } from '../../commands/handle';
import { load } from '../../commands/load';
import { moveAccount, type CardMoneyDeps } from '../account/commands';
import { cardKind, type CardCommand } from './decider';

type CardOutcome = Outcome<CardState | null, CardEvent>;

/** Executes a command of a card: what its holder or an operator asks for, and what the issuer says has happened. */
export function changeCard(
  { handle }: Pick<CardMoneyDeps, 'handle'>,
  cardId: string,
  command: Exclude<CardCommand, { type: 'pay' }>,
): Promise<CardOutcome> {
  return handle(cardKind, cardStream(cardId), command);
}

/**
 * Charges what a card costs, once, and has the issuer asked for it. Repeated after a crash it goes on where it was.
 * @returns a refusal for a card that does not exist, and when the account has less
 */
export async function payForCard(
  deps: CardMoneyDeps,
  cardId: string,
  metadata: CommandMetadata,
): Promise<CardOutcome | { readonly refusal: Refusal }> {
  const { store, handle } = deps;
  const card = await load(store, cardKind, cardStream(cardId));
  if (card?.progress === 'ordered' && card.usage !== 'closed' && card.fee !== '0') {
    const { refusal } = await moveAccount(deps, card.accountId, {
      type: 'chargeFee',
      transactionId: `card/${cardId}`,
      entryId: `card/${cardId}`,
      cardId,
      amount: card.fee,
      occurredAt: metadata.now,
      metadata,
    });
    if (refusal) return { refusal };
  }
  return handle(cardKind, cardStream(cardId), { type: 'pay', metadata });
}
