import {
  getCard,
  listCardAccounts,
  listCardEvents,
  listPublicCardAccounts,
} from '../../../contracts/http/card/accounts';
import { findCardAccount, findCardAccountsOf } from '../../../projections/card/accounts';
import { cardStatus } from '../../../projections/card/card-state';
import { findCardsOf } from '../../../projections/card/cards';
import { bind, type Binding } from '../../http/binding';
import { availableOf } from '../account/balance';
import { watchDeposits } from '../deposit/watch-deposits';
import { expectCardOn } from '../enrolment/web-address';
import { eventList } from '../history/event-list';
import type { CardMoneyRoutesDeps } from '../money-deps';
import { cardCaller } from '../tokens/caller';
import { accountList } from './account-list';
import { addressOf } from './account-view';
import { expectCard } from './holdings';

/** What card holders read of their accounts and cards. */
export function cardListRoutes(deps: CardMoneyRoutesDeps): Binding[] {
  const { views } = deps;
  return [
    bind(listCardAccounts, async call => {
      const { userId } = await cardCaller(deps, call, call.body.token);
      const accounts = await findCardAccountsOf(views, userId);
      await watchDeposits(deps, accounts, call);
      return accountList(deps, userId, accounts);
    }),
    // Whose accounts there are the chain does not show, so that nobody is told.
    bind(listPublicCardAccounts, async call => {
      expectCardOn(deps, call);
      return { ok: true as const, accounts: [] };
    }),
    bind(getCard, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      const card = await expectCard(deps, caller, call.body.id);
      const account = await findCardAccount(views, card.accountId);
      const available = account ? availableOf(account.balance) : 0n;
      const config = {
        id: card.cardId,
        address: addressOf(account?.deposit ?? null) ?? '',
        state: cardStatus(card),
        balance: (available > 0n ? available : 0n).toString(),
      };
      return { ok: true as const, config };
    }),
    bind(listCardEvents, async call => {
      const { token, cardId, ...asked } = call.body;
      const caller = await cardCaller(deps, call, token);
      const cards = await findCardsOf(views, caller.userId);
      // What the documents do not have yet the stream has.
      const card = cards.find(each => each.cardId === cardId) ?? (await expectCard(deps, caller, cardId));
      return eventList(deps, card, asked);
    }),
  ];
}
