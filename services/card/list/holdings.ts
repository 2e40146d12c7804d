import { cardStream } from '../../../contracts/events/card';
import { cardReference } from '../../../contracts/events/card-account';
import { Problem } from '../../../contracts/problem/problem';
import { findCardAccount, type CardAccountDocument } from '../../../projections/card/accounts';
import type { CardState } from '../../../projections/card/card-state';
import { cardKind } from '../card/decider';
import type { CardMoneyRoutesDeps } from '../money-deps';
import type { CardCaller } from '../tokens/caller';
import { load } from '../../commands/load';

type Owner = Pick<CardCaller, 'userId' | 'network'>;

/** The card of a caller, as it is now. @throws Problem 404 `card_not_found`, the same for one of another holder */
export async function expectCard(
  { store }: Pick<CardMoneyRoutesDeps, 'store'>,
  { userId }: Owner,
  cardId: string,
): Promise<CardState> {
  // Of other ids there is no stream, and a server may refuse its name.
  const card = cardReference.safeParse(cardId).success
    ? await load(store, cardKind, cardStream(cardId))
    : null;
  if (card?.userId !== userId) throw new Problem('card_not_found', 'There is no such card.');
  return card;
}

/** The account of a caller. @throws Problem 404 `card_account_not_found`, the same for one of another holder, and for that of a prepaid card */
export async function expectAccount(
  { views }: Pick<CardMoneyRoutesDeps, 'views'>,
  { userId }: Owner,
  accountId: string,
): Promise<CardAccountDocument> {
  const account = await findCardAccount(views, accountId);
  if (account?.userId !== userId || account.kind === 'prepaid')
    throw new Problem('card_account_not_found', 'There is no such account.');
  return account;
}
