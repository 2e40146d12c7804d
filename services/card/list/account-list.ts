import type { CardAccountView, CardVestingView, PrepaidCardView } from '../../../contracts/http/card/fields';
import {
  CARD_ACCOUNT_CHANGES,
  findCardAccountsOf,
  type CardAccountDocument,
} from '../../../projections/card/accounts';
import { CARD_CHANGES, findCardsOf } from '../../../projections/card/cards';
import { CARD_VESTING_CHANGES, findCardVestings } from '../../../projections/card/vestings';
import { windowsOf } from '../account/windows';
import type { CardMoneyRoutesDeps } from '../money-deps';
import { vestingViews } from '../vesting/vesting-view';
import { accountView } from './account-view';
import { deliveriesOf, prepaidCardView } from './card-view';

interface AccountList {
  readonly ok: true;
  readonly list: (CardAccountView | CardVestingView)[];
  readonly prepaidCards: PrepaidCardView[];
}

type ListDeps = Pick<CardMoneyRoutesDeps, 'views' | 'texts' | 'clock'>;

/**
 * What a card holder has, cached until something of it changes.
 * @param accounts its own, as they were just read
 */
export function accountList(
  deps: ListDeps,
  userId: string,
  accounts: readonly CardAccountDocument[],
): Promise<AccountList> {
  const now = deps.clock().toISOString();
  const query = {
    key: ['card list', userId, accounts.map(account => shownAt(account, now))],
    sources: [CARD_ACCOUNT_CHANGES, CARD_CHANGES, CARD_VESTING_CHANGES].map(({ name }) => ({
      collection: name,
      part: userId,
    })),
  };
  return deps.views.cached(query, () => listed(deps, userId, now), hasNoPersonalTexts);
}

/** What the clock changes of an account as it is listed: the windows of its limits, and which these are. */
function shownAt({ tzOffset, nextLimits }: CardAccountDocument, now: string) {
  const areNext = nextLimits !== null && Date.parse(nextLimits.effectiveAt) <= Date.parse(now);
  // A month ends with a day.
  return [windowsOf(now, tzOffset).day, areNext ? nextLimits.effectiveAt : null];
}

/** Texts may be erased at any time, and no document changes then. */
function hasNoPersonalTexts({ list, prepaidCards }: AccountList): boolean {
  const areVirtual = (cards: readonly { readonly kind?: string | undefined }[]): boolean =>
    cards.every(({ kind }) => kind !== 'plastic');
  const hasNone = (account: AccountList['list'][number]): boolean =>
    account.type === 'crypto' && account.vestingAccounts === undefined && areVirtual(account.cards);
  return list.every(hasNone) && areVirtual(prepaidCards);
}

async function listed({ views, texts }: ListDeps, userId: string, now: string): Promise<AccountList> {
  const [accounts, cards, created, received] = await Promise.all([
    findCardAccountsOf(views, userId),
    findCardsOf(views, userId),
    findCardVestings(views, { userId }),
    findCardVestings(views, { beneficiaryUserId: userId }),
  ]);
  const [ofCreator, paying] = await Promise.all([
    vestingViews(texts, created),
    vestingViews(texts, received),
  ]);
  const deliveries = await deliveriesOf(texts, cards);
  const list: CardAccountView[] = [];
  const prepaidCards: PrepaidCardView[] = [];
  for (const account of accounts) {
    const own = cards.flatMap((card, index) =>
      card.accountId === account.accountId ? [[card, deliveries[index] ?? null] as const] : [],
    );
    if (account.kind === 'prepaid')
      prepaidCards.push(...own.map(([card, to]) => prepaidCardView(card, to, account.balance)));
    else {
      const payers = paying.filter(each => each.beneficiaryCryptoAccountId === account.accountId);
      list.push(accountView(account, own, now, payers));
    }
  }
  return { ok: true, list: [...list, ...ofCreator], prepaidCards };
}
