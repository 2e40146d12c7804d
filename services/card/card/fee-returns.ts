import { z } from 'zod';
import { categoryOf } from '../../../contracts/category';
import { CARD_CATEGORY, cardEvents, cardStream } from '../../../contracts/events/card';
import { CARD_ACCOUNT_CATEGORY, cardAccountEvents } from '../../../contracts/events/card-account';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import { ATTEMPTS_FOR_A_WEEK, type Jobs } from '../../../contracts/ports/jobs';
import { load } from '../../commands/load';
import type { Reaction } from '../../reactions/event-reaction';
import { moveAccount, type CardMoneyDeps } from '../account/commands';
import { cardKind } from './decider';

const CARD_FEE_RETURNS = 'card-fee-returns';

const returnJob = z.object({ cardId: z.string() });

/**
 * Starts a job for each card that is closed, and for each fee that is charged: a card that is closed at the same time may be so before its
 * fee was charged, or after.
 */
export const cardFeeReturns: Reaction = {
  name: CARD_FEE_RETURNS,
  categories: [CARD_CATEGORY, CARD_ACCOUNT_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const cardId = cardOf(recorded);
    if (cardId === null) return [];
    return [{ queue: CARD_FEE_RETURNS, id: recorded.id, data: { cardId }, attempts: ATTEMPTS_FOR_A_WEEK }];
  },
};

function cardOf(recorded: RecordedEvent): string | null {
  if (categoryOf(recorded.stream) === CARD_ACCOUNT_CATEGORY) {
    const { type, data } = cardAccountEvents.read(recorded);
    return type === 'CardFeeCharged' ? data.cardId : null;
  }
  const { type, data } = cardEvents.read(recorded);
  return type === 'CardClosed' || type === 'CardIssuingFailed' ? data.cardId : null;
}

/** Returns the fees of cards that were closed and never issued, until the signal: each once. */
export function workFeeReturns(
  deps: CardMoneyDeps & { readonly jobs: Pick<Jobs, 'work'>; readonly clock: () => Date },
  signal: AbortSignal,
): Promise<void> {
  return deps.jobs.work({ queue: CARD_FEE_RETURNS, signal }, async ({ data }) => {
    const { cardId } = returnJob.parse(data);
    const card = await load(deps.store, cardKind, cardStream(cardId));
    // One that was replaced has another one in its place, which costs nothing.
    if (card?.usage !== 'closed' || card.progress === 'issued' || card.replacedBy !== null) return;
    const metadata = { now: deps.clock().toISOString(), actor: CARD_FEE_RETURNS };
    const outcome = await moveAccount(deps, card.accountId, {
      type: 'returnFee',
      transactionId: `card/${cardId}`,
      entryId: `card/${cardId}/returned`,
      cardId,
      occurredAt: metadata.now,
      metadata,
    });
    if (outcome.refusal) throw new Error(`account ${card.accountId}: ${outcome.refusal.detail}`);
  });
}
