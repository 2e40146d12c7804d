import type {
  CardAccountView,
  CardVestingView,
  CardView,
  PrepaidCardView,
} from '../../../../contracts/http/card/fields';
import { Table } from '../elements/table';
import { linkTo } from '../route';
import { OrderCard } from './order-card';
import { wholeUnits } from './units';

export type AnyAccount = CardAccountView | CardVestingView;

export function balanceOf({ balance, cryptoCurrency: { decimals, ticker } }: AnyAccount): string {
  return `${wholeUnits(balance, decimals)} ${ticker}`;
}

const ACCOUNTS = [
  { title: 'Account', show: (row: AnyAccount) => <a href={linkTo('card', 'account', row.id)}>{row.id}</a> },
  { title: 'Kind', show: (row: AnyAccount) => row.type },
  { title: 'Network', show: (row: AnyAccount) => row.network },
  { title: 'State', show: (row: AnyAccount) => <code>{row.state}</code> },
  { title: 'Balance', isAmount: true, show: balanceOf },
];

const DELIVERY = { title: 'Delivery', show: (row: CardView) => row.delivery?.status ?? '' };
const BALANCE = {
  title: 'Balance',
  isAmount: true,
  show: (row: CardView) => (row.type === 'PREPAID' ? `${row.fiatBalance} ${row.fiatCurrency}` : ''),
};

/** Columns in which no card has anything are left out. */
const columnsOf = (cards: readonly CardView[]) => [
  ...CARDS,
  ...[DELIVERY, BALANCE].filter(({ show }) => cards.some(card => show(card) !== '')),
];

const CARDS = [
  { title: 'Card', show: (row: CardView) => <a href={linkTo('card', 'card', row.id)}>{row.id}</a> },
  { title: 'Digits', show: (row: CardView) => row.lastFourDigits ?? '' },
  { title: 'Kind', show: (row: CardView) => [row.type, row.kind, row.schema].filter(Boolean).join(', ') },
  { title: 'Status', show: (row: CardView) => <code>{row.status}</code> },
];

interface OverviewProps {
  readonly accounts: readonly AnyAccount[];
  readonly prepaidCards: readonly PrepaidCardView[];
}

/** The accounts and the cards of a card holder. */
export function Overview({ accounts, prepaidCards }: OverviewProps) {
  const crypto = accounts.filter(account => account.type === 'crypto');
  const cards: readonly CardView[] = [...crypto.flatMap(account => account.cards), ...prepaidCards];
  return (
    <>
      <section aria-labelledby="accounts">
        <h2 id="accounts">Accounts</h2>
        <Table
          caption="Accounts"
          total={accounts.length}
          rows={accounts}
          keyOf={({ id }) => id}
          columns={ACCOUNTS}
        />
      </section>
      <section aria-labelledby="cards">
        <h2 id="cards">Cards</h2>
        <Table
          caption="Cards"
          total={cards.length}
          rows={cards}
          keyOf={({ id }) => id}
          columns={columnsOf(cards)}
        />
        <OrderCard accounts={crypto} />
      </section>
    </>
  );
}
