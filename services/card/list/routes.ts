import {
  getCard,
  listCardAccounts,
  listCardEvents,
  listPublicCardAccounts,
} from '../../../contracts/http/card/accounts';
import type { CardAccountView, PrepaidCardView } from '../../../contracts/http/card/fields';
import { accountOfKey } from '../../../contracts/network/network';
import {
  findCardAccount,
  findCardAccountsOf,
  type CardAccountDocument,
} from '../../../projections/card/accounts';
import { cardStatus } from '../../../projections/card/card-state';
import { findCardsOf } from '../../../projections/card/cards';
import { findCardHistory } from '../../../projections/card/history';
import type { Reader } from '../../watch-account';
import { bind, type Binding } from '../../http/binding';
import { availableOf } from '../account/balance';
import { expectCardOn } from '../enrolment/web-address';
import { eventView } from '../history/event-view';
import type { CardMoneyRoutesDeps } from '../money-deps';
import { cardCaller } from '../tokens/caller';
import { accountView, addressOf } from './account-view';
import { deliveriesOf, prepaidCardView } from './card-view';
import { expectCard } from './holdings';

/** What card holders read of their accounts and cards. */
export function cardListRoutes(deps: CardMoneyRoutesDeps): Binding[] {
  const { views, clock } = deps;
  return [
    bind(listCardAccounts, async call => {
      const { userId } = await cardCaller(deps, call, call.body.token);
      const accounts = await findCardAccountsOf(views, userId);
      await watchDeposits(deps, accounts, call);
      return { ok: true as const, ...(await listed(deps, userId, accounts)) };
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
        ...{ id: card.cardId, address: addressOf(account?.deposit ?? null) ?? '', state: cardStatus(card) },
        balance: (available > 0n ? available : 0n).toString(),
      };
      return { ok: true as const, config };
    }),
    bind(listCardEvents, async call => {
      const { token, cardId, limit, cursor, order } = call.body;
      const caller = await cardCaller(deps, call, token);
      const card = await expectCard(deps, caller, cardId);
      const isPlace = cursor !== undefined && cursor !== null && cursor !== 'asc' && cursor !== 'desc';
      const direction = order ?? (cursor === 'asc' ? 'asc' : 'desc');
      const subjects = [cardId, card.accountId];
      const page = { after: isPlace ? Number(cursor) : null, order: direction, limit };
      const { documents, more } = await findCardHistory(views, subjects, page);
      const next = documents.at(-1)?.number ?? page.after ?? 0;
      const events = documents.map(document => eventView(document, cardId));
      return { ok: true as const, data: { events, more, cursor: String(next) } };
    }),
  ];

  async function listed(
    { texts }: Pick<CardMoneyRoutesDeps, 'texts'>,
    userId: string,
    accounts: readonly CardAccountDocument[],
  ): Promise<{ list: CardAccountView[]; prepaidCards: PrepaidCardView[] }> {
    const cards = await findCardsOf(views, userId);
    const deliveries = await deliveriesOf(texts, cards);
    const now = clock().toISOString();
    const list: CardAccountView[] = [];
    const prepaidCards: PrepaidCardView[] = [];
    for (const account of accounts) {
      const own = cards.flatMap((card, index) =>
        card.accountId === account.accountId ? [[card, deliveries[index] ?? null] as const] : [],
      );
      if (account.kind === 'prepaid')
        prepaidCards.push(...own.map(([card, to]) => prepaidCardView(card, to, account.balance)));
      else list.push(accountView(account, own, now));
    }
    return { list, prepaidCards };
  }
}

/** While its holder reads an account, the indexer sees what is paid to it. An account that cannot be watched now is the next time. */
async function watchDeposits(
  { watch, logger }: CardMoneyRoutesDeps,
  accounts: readonly CardAccountDocument[],
  reader: Reader,
): Promise<void> {
  for (const { deposit } of accounts) {
    if (deposit === null) continue;
    try {
      await watch(accountOfKey(deposit), reader);
    } catch (error) {
      logger.warn({ err: error }, 'address of a card account is not watched');
    }
  }
}
