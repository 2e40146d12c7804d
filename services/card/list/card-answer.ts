import { cardAccountStream } from '../../../contracts/events/card-account';
import type { CardView } from '../../../contracts/http/card/fields';
import type { Position } from '../../../contracts/position';
import { CARDS } from '../../../projections/card/cards';
import { load } from '../../commands/load';
import { NO_BALANCE } from '../../../contracts/events/card-account';
import { cardAccountKind } from '../account/decider';
import type { CardMoneyRoutesDeps } from '../money-deps';
import type { CardCaller } from '../tokens/caller';
import { debitCardView, deliveriesOf, prepaidCardView } from './card-view';
import { expectCard } from './holdings';

/** The card of a caller as it is now. @param position of its last change, for which reads wait; null for none */
export async function answerWithCard(
  deps: Pick<CardMoneyRoutesDeps, 'store' | 'views' | 'waitMs'> & {
    readonly texts: Pick<CardMoneyRoutesDeps['texts'], 'decryptAll'>;
  },
  caller: CardCaller,
  cardId: string,
  position: Position | null,
): Promise<{ readonly ok: true; readonly card: CardView }> {
  const { store, views, texts, waitMs } = deps;
  const card = await expectCard(deps, caller, cardId);
  if (position !== null) await views.waitForPosition(CARDS.name, position, waitMs);
  const [to = null] = await deliveriesOf(texts, [card]);
  if (card.type === 'DEBIT') return { ok: true, card: debitCardView(card, to) };
  const account = await load(store, cardAccountKind, cardAccountStream(card.accountId));
  return { ok: true, card: prepaidCardView(card, to, account?.balance ?? NO_BALANCE) };
}
