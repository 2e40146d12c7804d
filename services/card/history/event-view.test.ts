import fc from 'fast-check';
import { cardEvents, cardStream, type CardEvent } from '../../../contracts/events/card';
import { cardAccountEvents, cardAccountStream } from '../../../contracts/events/card-account';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import {
  CARD_HISTORY,
  cardHistoryProjection,
  type CardHistoryDocument,
} from '../../../projections/card/history';
import { after, amountsOf, command, opened, toppedUp } from '../../../test/card/account';
import { runs } from '../../../test/random';
import type { CardAccountCommand } from '../account/command';
import { heldOf } from '../account/transaction';
import { eventView } from './event-view';

const authorised = (fiat: number, rest: object = {}) =>
  command('recordAuthorised', { amounts: amountsOf(fiat), ...rest });
const incremented = (fiat: number, rest: object = {}) =>
  command('recordIncremented', { amounts: amountsOf(fiat), ...rest });
const reversed = (fiat: number, rest: object = {}) =>
  command('recordReversed', { amounts: amountsOf(fiat), ...rest });
const cleared = (fiat: number, rest: object = {}) =>
  command('recordCleared', {
    amounts: amountsOf(fiat),
    ofAuthorisation: String(fiat),
    final: true,
    forced: false,
    interchange: null,
    ...rest,
  });

/** How an event is shown; nothing where it is not. */
function viewsOf(stream: string, written: object, position = 0) {
  const recorded = { ...written, stream, position, revision: position } as unknown as RecordedEvent;
  if (cardHistoryProjection.touches(recorded).length === 0) return [];
  const key = { collection: CARD_HISTORY.name, id: 'id' };
  const document = cardHistoryProjection.fold(null, recorded, key) as unknown as CardHistoryDocument;
  return [eventView(document, 'card-1')];
}

/** What the holder is shown of purchases, oldest first, and the account. */
function shownOf(...commands: readonly CardAccountCommand[]) {
  const { events, state } = after(opened(), toppedUp(1_000_000), ...commands);
  const views = events.flatMap((event, position) =>
    viewsOf(
      cardAccountStream('account-1'),
      cardAccountEvents.write(event, `event-${position}`, {}),
      position,
    ),
  );
  const purchases = views.flatMap(({ type, data }) =>
    type === 'charge' || type === 'charge_back' ? [{ type, data }] : [],
  );
  return { purchases, state };
}
const amountsIn = (...commands: readonly CardAccountCommand[]) =>
  shownOf(...commands).purchases.map(({ type, data }) => [type, data.currencyAmount, data.txnCurrencyAmount]);

describe('a purchase is shown as it was charged:', () => {
  it.each<[string, readonly CardAccountCommand[], readonly (readonly string[])[]]>([
    ['what is cleared as it was authorised, once', [authorised(2_500), cleared(2_500)], [['charge', '25']]],
    [
      'what is not cleared at last, as given back',
      [authorised(2_500), cleared(1_000)],
      [
        ['charge', '25'],
        ['charge_back', '15'],
      ],
    ],
    [
      'what may still be cleared, not',
      [authorised(2_500), cleared(1_000, { final: false })],
      [['charge', '25']],
    ],
    [
      'what is cleared beyond it, such as a tip, as a further charge',
      [authorised(2_500), cleared(3_000, { ofAuthorisation: '2500' })],
      [
        ['charge', '25'],
        ['charge', '5'],
      ],
    ],
    [
      'what is cleared before its authorisation arrives, once',
      [cleared(1_000), authorised(2_500)],
      [['charge', '10']],
    ],
    [
      'of what was reversed before it arrives, the rest',
      [reversed(1_000), authorised(2_500)],
      [['charge', '15']],
    ],
    [
      'what is cleared after it was voided, in full',
      [authorised(2_500), command('recordVoided'), cleared(2_500)],
      [
        ['charge', '25'],
        ['charge_back', '25'],
        ['charge', '25'],
      ],
    ],
  ])('%s', (_what, commands, expected) => {
    const amounts = expected.map(([type, amount]) => [type, `${amount}.00`, `${amount}.00`]);
    expect(amountsIn(...commands)).toEqual(amounts);
  });

  it('with the amount of the merchant, where it is all of it', () => {
    const amounts = { ...amountsOf(2_500), merchant: { amount: '400', currency: 'JPY' } };
    const less = { amounts: { ...amountsOf(1_000), merchant: { amount: '160', currency: 'JPY' } } };
    const { purchases } = shownOf(authorised(0, { amounts }), cleared(1_000, less));
    expect(purchases).toMatchObject([
      { type: 'charge', data: { txnCurrency: 'JPY', txnCurrencyAmount: '400' } },
      { type: 'charge_back', data: { txnCurrency: 'EUR', txnCurrencyAmount: '15.00', action: 'purchase' } },
    ]);
  });
});

it.each([
  ['freeze', 'active', { type: 'card_unfreeze', data: { byUser: false } }],
  ['unfreeze', 'frozen', { type: 'card_freeze', data: { reason: 'other' } }],
] as const)('a %s that the issuer refuses is shown as what the card is then', (asked, to, expected) => {
  const at = '2026-11-23T12:00:00.000Z';
  const facts = {
    cardId: 'card-1',
    accountId: 'account-1',
    network: 'testnet',
    userId: 'user-1',
    at,
  } as const;
  const event: CardEvent = { type: 'CardChangeRefused', data: { ...facts, asked, to, reason: 'other' } };
  expect(viewsOf(cardStream('card-1'), cardEvents.write(event, 'event-1', {}))).toMatchObject([expected]);
});

const message = fc
  .record({
    make: fc.constantFrom(authorised, incremented, reversed, cleared, cleared),
    fiat: fc.integer({ min: 0, max: 5_000 }),
    of: fc.integer({ min: 0, max: 5_000 }).map(String),
    final: fc.boolean(),
    ends: fc.constantFrom(null, null, null, 'recordVoided', 'recordExpired'),
    transactionId: fc.constantFrom('purchase-1', 'purchase-2'),
  })
  .map(({ make, fiat, of, final, ends, transactionId }) => (entryId: string) => {
    if (ends) return command(ends, { transactionId, entryId });
    return make(fiat, { transactionId, entryId, ...(make === cleared && { ofAuthorisation: of, final }) });
  });

it('what is shown of purchases comes to what is held and cleared of them, in whatever order messages arrive', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), messages => {
      const { purchases, state } = shownOf(...messages.map((make, n) => make(`message-${n}`)));
      const cents = (text: string) => BigInt(text.replace('.', ''));
      const shown = purchases.reduce(
        (sum, { type, data }) => sum + (type === 'charge' ? 1n : -1n) * cents(data.currencyAmount!),
        0n,
      );
      const spent = Object.values(state.transactions).flatMap(({ entries }) => [
        heldOf(entries)?.fiat ?? 0n,
        ...entries.filter(({ kind }) => kind === 'cleared').map(({ gross }) => BigInt(gross!)),
      ]);
      expect(shown).toBe(spent.reduce((sum, each) => sum + each, 0n));
    }),
    runs(200),
  );
});
