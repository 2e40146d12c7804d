import {
  CARD_ACCOUNT_CATEGORY,
  cardAccountEvents,
  type CardAccountEvent,
  type CardBalance,
  type CardLimits,
  NO_BALANCE,
} from '../../contracts/events/card-account';
import { accountKey } from '../../contracts/network/network';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { userChange, userChanges } from './user-changes';

type Opened = Extract<CardAccountEvent, { type: 'CardAccountOpened' }>['data'];

/** An account by its id. */
export type CardAccountDocument = Document &
  Omit<Opened, 'at' | 'owner' | 'deposit'> & {
    /** The keys of accounts of chains. */
    readonly owner: string;
    readonly deposit: string | null;
    readonly createdAt: string;
    readonly nextLimits: { readonly limits: CardLimits; readonly effectiveAt: string } | null;
    readonly balance: CardBalance;
    readonly hasBeenDepositedOnce: boolean;
  };

export const CARD_ACCOUNTS: CollectionSpec = {
  name: 'card_accounts',
  indexes: [
    {
      fields: [
        ['userId', 'asc'],
        ['accountIndex', 'asc'],
      ],
    },
  ],
};

/** Of their users. */
export const CARD_ACCOUNT_CHANGES = userChanges('card_account_changes');

/** Events that say nothing new of an account. */
const UNTOUCHED: ReadonlySet<CardAccountEvent['type']> = new Set([
  'CardAccountCarriedForward',
  'CardTransactionsArchived',
]);

/** Accounts of cards, with their balances. */
export const cardAccountsProjection: EventProjection = {
  name: 'card-accounts',
  version: 1,
  categories: [CARD_ACCOUNT_CATEGORY],
  collections: [CARD_ACCOUNTS, CARD_ACCOUNT_CHANGES],
  touches(recorded) {
    const { type, data } = cardAccountEvents.read(recorded);
    if (UNTOUCHED.has(type)) return [];
    return [
      { collection: CARD_ACCOUNTS.name, id: data.accountId },
      { collection: CARD_ACCOUNT_CHANGES.name, id: data.userId },
    ];
  },
  fold(document, recorded, { collection, id }) {
    if (collection === CARD_ACCOUNT_CHANGES.name) return userChange(id, recorded);
    return accountAfter(document as CardAccountDocument | null, cardAccountEvents.read(recorded));
  },
};

function accountAfter(
  before: CardAccountDocument | null,
  { type, data }: CardAccountEvent,
): CardAccountDocument | null {
  if (type === 'CardAccountOpened') {
    const { at, owner, deposit, ...facts } = data;
    return {
      _id: data.accountId,
      ...facts,
      createdAt: at,
      nextLimits: null,
      balance: NO_BALANCE,
      owner: accountKey(owner),
      deposit: deposit && accountKey(deposit),
      hasBeenDepositedOnce: false,
    };
  }
  if (!before) return null; // only in a stream that was cut
  switch (type) {
    case 'CardAccountStateChanged':
      return { ...before, state: data.to };
    case 'CardAccountLimitsChanged': {
      const { limits, effectiveAt, at } = data;
      if (effectiveAt <= at) return { ...before, limits, nextLimits: null };
      const { nextLimits } = before;
      const current = nextLimits && nextLimits.effectiveAt <= at ? nextLimits.limits : before.limits;
      return { ...before, limits: current, nextLimits: { limits, effectiveAt } };
    }
    case 'CardAccountCarriedForward':
    case 'CardTransactionsArchived':
      return before;
    default: {
      const hasBeenDepositedOnce = before.hasBeenDepositedOnce || type === 'CardAccountToppedUp';
      return { ...before, balance: data.balance, hasBeenDepositedOnce };
    }
  }
}

/** More than a user can open: each prepaid card has one. */
const MAX_LISTED = 200;

export function findCardAccount(
  views: Pick<Views, 'get'>,
  accountId: string,
): Promise<CardAccountDocument | null> {
  return views.get<CardAccountDocument>(CARD_ACCOUNTS.name, accountId);
}

/** Those of a user, in the order in which they were opened. */
export function findCardAccountsOf(
  views: Pick<Views, 'cached' | 'find'>,
  userId: string,
): Promise<readonly CardAccountDocument[]> {
  const query = { filter: { userId }, order: [['accountIndex', 'asc']], limit: MAX_LISTED } as const;
  return views.cached(
    {
      key: ['card accounts of a user', userId],
      sources: [{ collection: CARD_ACCOUNT_CHANGES.name, part: userId }],
    },
    async () => (await views.find<CardAccountDocument>(CARD_ACCOUNTS.name, query)).documents,
  );
}
