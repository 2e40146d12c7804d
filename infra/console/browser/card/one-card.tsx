import type { CardView } from '../../../../contracts/http/card/fields';
import { ActionButton } from '../elements/action-button';
import { Facts } from '../elements/facts';
import { toSecond } from '../elements/instant';
import { ask } from './calls';
import { useChanged } from './changes';
import { Events } from './events';
import { MovePrepaid } from './move-prepaid';
import type { AnyAccount } from './overview';

const ACTIONS = [
  { path: '/v2/card/pay', label: 'Pay for it', of: ['WAITING_FOR_PAYMENT'] },
  { path: '/v2/card/freeze', label: 'Freeze', of: ['ACTIVE'] },
  { path: '/v2/card/unfreeze', label: 'Unfreeze', of: ['FROZEN'] },
  { path: '/v2/card/block', label: 'Block', question: 'Block it for good, as a lost one?' },
  { path: '/v2/card/close', label: 'Close', question: 'Close it for good?' },
] as const satisfies readonly {
  readonly path: Parameters<typeof ask>[0];
  readonly label: string;
  readonly question?: string;
  /** The statuses in which it is offered; default: until the card is over. */
  readonly of?: readonly CardView['status'][];
}[];

const OVER: readonly CardView['status'][] = ['CLOSED'];

interface OneCardProps {
  readonly card: CardView;
  readonly accounts: readonly AnyAccount[];
}

/** One card: what it is, what can be done with it, and what has happened. */
export function OneCard({ card, accounts }: OneCardProps) {
  const changed = useChanged();
  const offered = ACTIONS.filter(action =>
    'of' in action ? (action.of as readonly string[]).includes(card.status) : !OVER.includes(card.status),
  );
  return (
    <section aria-labelledby="card">
      <h2 id="card">Card {card.lastFourDigits === undefined ? '' : `•• ${card.lastFourDigits}`}</h2>
      <Facts of={factsOf(card)} />
      <div class="actions">
        {offered.map(({ path, ...button }) => (
          <ActionButton key={path} {...button} send={() => ask(path, { id: card.id })} done={changed} />
        ))}
      </div>
      {card.type === 'PREPAID' && <MovePrepaid card={card} accounts={accounts} />}
      <Events cardId={card.id} accounts={accounts} />
    </section>
  );
}

const factsOf = (card: CardView) =>
  [
    ['Status', <code>{card.status}</code>],
    ['Id', <code>{card.id}</code>],
    ['Balance', card.type === 'PREPAID' ? `${card.fiatBalance} ${card.fiatCurrency}` : null],
    ['Kind', [card.type, card.kind, card.schema, card.design].filter(Boolean).join(', ')],
    ['Currency', card.fiatCurrency],
    ['Ordered', toSecond(card.createdAt)],
    ['Changed', toSecond(card.updatedAt)],
    ['Delivery', card.delivery && deliveryText(card.delivery)],
    ['Tracking number', card.delivery?.trackNumber],
  ] as const;

function deliveryText({
  status,
  address,
  postalCode,
  countryCode,
  deliveryMethod,
}: NonNullable<CardView['delivery']>): string {
  return `${status}: ${[address, postalCode, countryCode].filter(Boolean).join(', ')} (${deliveryMethod})`;
}
