import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { CARD_SAMPLES } from '../../test/events/samples/card';
import { cardStatus, type CardState } from './card-state';
import { CARD_CHANGES, CARDS, cardsProjection } from './cards';

const ordered = CARD_SAMPLES['CardOrdered']![0]!.data;
const stream = `card-${ordered['cardId'] as string}`;
const events = (...types: readonly string[]) =>
  history(...types.map(type => [stream, { type, data: CARD_SAMPLES[type]![0]!.data }] as const));

it('a card is what its events say', () => {
  const { at, delivery, ...facts } = ordered;
  return given(
    cardsProjection,
    events(
      'CardOrdered',
      'CardPaid',
      'CardIssuingAsked',
      'CardIssued',
      'CardDeliveryMoved',
      'CardFreezeAsked',
    ),
  ).then({
    [CARDS.name]: [
      {
        _id: facts['cardId'] as string,
        ...facts,
        number: 0,
        createdAt: at!,
        updatedAt: at!,
        progress: 'issued',
        usage: 'freezing',
        changedBy: 'holder',
        changedAt: at!,
        confirmed: { usage: 'active', changedBy: null, changedAt: at! },
        verification: null,
        verificationAt: null,
        issuerCardId: 'issuer-card-1',
        lastFourDigits: '4242',
        replacedBy: null,
        delivery: { ...(delivery as object), status: 'DISPATCHED', trackNumber: 'RR1' },
      },
    ],
    [CARD_CHANGES.name]: [{ _id: facts['userId'] as string, position: 5 }],
  });
});

it.each([
  ['active', 'issued', 'ACTIVE'],
  ['freezing', 'issued', 'PENDING_FREEZE'],
  ['blocking', 'issued', 'PENDING_BLOCK'],
  ['active', 'paid', 'PENDING_CONTRACT'],
  ['closed', 'ordered', 'CLOSED'],
] as const)('that is %s and %s is %s for wallets', (usage, progress, status) => {
  expect(cardStatus({ usage, progress, verification: null, delivery: null } as CardState)).toBe(status);
});
