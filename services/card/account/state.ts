import { NO_BALANCE, type CardAccountEvent, type CardLimits } from '../../../contracts/events/card-account';
import { isKnown } from './transaction';

type CarriedForward = Extract<CardAccountEvent, { type: 'CardAccountCarriedForward' }>['data'];

/**
 * What decisions need. Its transactions are those that may still change, or have not long ago: what grows with the history of an account
 * is not in it.
 */
export type CardAccount = Omit<CarriedForward, 'at'> & {
  /** Events since the whole state was recorded. */
  readonly sinceCarried: number;
};

/** Those that hold at an instant. */
export function limitsAt(
  { limits, nextLimits }: Pick<CardAccount, 'limits' | 'nextLimits'>,
  at: string,
): CardLimits {
  return nextLimits && Date.parse(nextLimits.effectiveAt) <= Date.parse(at) ? nextLimits.limits : limits;
}

export function evolve(before: CardAccount | null, event: CardAccountEvent): CardAccount | null {
  const { type, data } = event;
  if (type === 'CardAccountOpened') {
    const { accountId, network, userId, kind, state, tzOffset, fiatCurrency, limits } = data;
    const account = { accountId, network, userId, kind, state, tzOffset, fiatCurrency, limits };
    return { ...account, nextLimits: null, balance: NO_BALANCE, transactions: {}, sinceCarried: 1 };
  }
  if (type === 'CardAccountCarriedForward') {
    const { at: _at, ...state } = data;
    return { ...state, sinceCarried: 0 };
  }
  if (!before) return null; // only in a stream that was cut
  const account = { ...before, sinceCarried: before.sinceCarried + 1 };
  switch (type) {
    case 'CardAccountStateChanged':
      return { ...account, state: data.to };
    case 'CardAccountLimitsChanged':
      return withLimits(account, data);
    case 'CardTransactionsArchived': {
      const archived = new Set(data.transactionIds);
      const kept = Object.entries(account.transactions).filter(([id]) => !archived.has(id));
      return { ...account, transactions: Object.fromEntries(kept) };
    }
    default: {
      const { transactionId, cardId, entry, earlier, balance, at } = data;
      const known = account.transactions[transactionId];
      const entries = known?.entries ?? earlier;
      const transaction = {
        cardId: known?.cardId ?? cardId,
        changedAt: at,
        entries: isKnown(entries, entry.id) ? entries : [...entries, entry],
      };
      return {
        ...account,
        balance,
        transactions: { ...account.transactions, [transactionId]: transaction },
      };
    }
  }
}

function withLimits(
  account: CardAccount,
  { limits, effectiveAt, at }: Extract<CardAccountEvent, { type: 'CardAccountLimitsChanged' }>['data'],
): CardAccount {
  if (effectiveAt <= at) return { ...account, limits, nextLimits: null };
  return { ...account, limits: limitsAt(account, at), nextLimits: { limits, effectiveAt } };
}
