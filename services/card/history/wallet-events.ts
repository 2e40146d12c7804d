import type { CardSelection } from '../../../contracts/http/history/history';
import { findCardAccountsOf } from '../../../projections/card/accounts';
import { findCardsOf } from '../../../projections/card/cards';
import { findCardHistoryByTime } from '../../../projections/card/history';
import type { Views } from '../../../projections/views';
import type { CardEvents, PlacedCardEvent, ReadCardEvents } from '../../card-events';
import { cardCallerOn, type CardCallerDeps } from '../tokens/caller';
import { eventView } from './event-view';

/** `CardEvents` of the card service; none where it is off. */
export async function cardEventsOfWallet(
  deps: CardCallerDeps & { readonly views: Pick<Views, 'cached' | 'find'> },
  { wallet, token, selection }: Parameters<CardEvents>[0],
  call: Parameters<CardEvents>[1],
): Promise<ReadCardEvents> {
  const { views, isOn } = deps;
  if (!isOn(wallet.network)) return none;
  const { user } = await cardCallerOn(deps, wallet.network, call, token);
  if (!user.wallets.some(({ chain, address }) => chain === 'ton' && address === wallet.address)) return none;
  const { from, to, ...selected } = selection;
  const subjects = await subjectsOf(views, user.userId, selected);
  const bounds = { from: instantOf(from), to: instantOf(to) };
  return async page => {
    const { documents, more } = await findCardHistoryByTime(views, subjects, { ...bounds, ...page });
    const events = documents.map(document => {
      const { cardId, ...event } = eventView(document, document.subject);
      const isOfCard =
        document.subject !== (document.event as { data: { accountId: string } }).data.accountId;
      return { place: document.place, event: { ...(isOfCard && { cardId }), ...event } };
    });
    return { events: events as PlacedCardEvent[], more };
  };
}

const none: ReadCardEvents = async () => ({ events: [], more: false });

/** What the holder has, and of that what is asked for: accounts with their cards, and cards. */
async function subjectsOf(
  views: Pick<Views, 'cached' | 'find'>,
  userId: string,
  { accountIds, cardIds }: Pick<CardSelection, 'accountIds' | 'cardIds'>,
): Promise<string[]> {
  const [accounts, cards] = await Promise.all([
    findCardAccountsOf(views, userId),
    findCardsOf(views, userId),
  ]);
  const isAll = accountIds === undefined && cardIds === undefined;
  const isSelected = (accountId: string): boolean => isAll || (accountIds?.includes(accountId) ?? false);
  return [
    ...accounts.map(({ accountId }) => accountId).filter(isSelected),
    ...cards
      .filter(({ accountId, cardId }) => isSelected(accountId) || cardIds?.includes(cardId))
      .map(({ cardId }) => cardId),
  ];
}

const instantOf = (time: string | undefined): string | null => {
  if (time === undefined) return null;
  return new Date(/^\d+$/.test(time) ? Number(time) : time).toISOString();
};
