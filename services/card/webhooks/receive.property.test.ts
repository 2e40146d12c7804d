import fc from 'fast-check';
import type { IssuerWebhookInput } from '../../../contracts/card-issuer/webhooks';
import { cardAccountEvents, cardAccountStream } from '../../../contracts/events/card-account';
import { NOON, OPENING } from '../../../test/card/account';
import { CARD_ORDERING } from '../../../test/card/ordering';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { runs } from '../../../test/random';
import { createHandle } from '../../commands/handle';
import { load } from '../../commands/load';
import { changeAccount } from '../account/commands';
import { cardAccountKind } from '../account/decider';
import { holdOf } from '../account/transaction';
import { changeCard, payForCard } from '../card/commands';
import type { CardWebhookDeps } from './deps';
import { receiveWebhook } from './receive';

const network = 'testnet' as const;
const metadata = { now: NOON, actor: 'test' };
/** Two cards of an account in a currency without decimals, and one of an account in a currency with three. */
const CARDS = [
  { cardId: 'yen-1', accountId: 'yen', currency: 'JPY', rate: { units: '40001', per: '7' } },
  { cardId: 'yen-2', accountId: 'yen', currency: 'JPY', rate: { units: '1', per: '3' } },
  { cardId: 'dinar-1', accountId: 'dinar', currency: 'KWD', rate: { units: '999', per: '1000' } },
] as const;

/** An issuer's view of three cards, on whose accounts nothing was ever paid in. */
async function open() {
  const store = new InMemoryEventStore();
  const handle = createHandle({ store });
  const deps = { store, handle };
  for (const { cardId, accountId, currency: fiatCurrency } of CARDS) {
    const account = { ...OPENING, accountId, fiatCurrency };
    await changeAccount(deps, accountId, { type: 'open', account, metadata });
    const card = { ...CARD_ORDERING, cardId, accountId, fiatCurrency };
    await changeCard(deps, cardId, { type: 'order', card, all: 0, open: 0, metadata });
    await payForCard(deps, cardId, metadata);
    const issued = { issuerCardId: cardId, lastFourDigits: '4242' };
    await changeCard(deps, cardId, { type: 'recordIssued', ...issued, metadata });
  }
  const receiving = {
    ...deps,
    clock: () => new Date(NOON),
    onWebhook: () => undefined,
  } as Partial<CardWebhookDeps>;
  return {
    send: ({ id, webhook }: Sent) =>
      receiveWebhook(receiving as CardWebhookDeps, { webhookId: id, network }, JSON.stringify(webhook)),
    /** What an account has come to: its balance, and what is known of each purchase, which is a set. */
    async endOf(accountId: string) {
      const { balance, transactions } = (await load(store, cardAccountKind, cardAccountStream(accountId)))!;
      const purchases = Object.entries(transactions).map(([id, { entries }]) => [
        id,
        entries.map(entry => JSON.stringify(entry)).sort(),
      ]);
      const held = Object.values(transactions).reduce((sum, { entries }) => sum + holdOf(entries), 0n);
      return { balance, purchases: purchases.sort(), held };
    },
    async events(accountId: string) {
      const events = [];
      for await (const recorded of store.readStream(cardAccountStream(accountId)))
        events.push(cardAccountEvents.read(recorded));
      return events;
    },
  };
}

interface Sent {
  readonly id: string;
  readonly webhook: IssuerWebhookInput;
}

const said = fc.record({
  card: fc.constantFrom(...CARDS),
  purchase: fc.constantFrom('p1', 'p2'),
  type: fc.constantFrom(
    ...(['increment.decided', 'authorisation.reversed', 'purchase.cleared', 'purchase.cleared'] as const),
    ...(['authorisation.voided', 'authorisation.expired', 'purchase.refunded'] as const),
    ...(['purchase.charged_back', 'chargeback.reversed', 'authorisation.requested'] as const),
  ),
  amount: fc.integer({ min: 0, max: 100_000 }).map(String),
  cleared: fc.integer({ min: 0, max: 100_000 }).map(String),
  flag: fc.boolean(),
  hour: fc.integer({ min: 10, max: 23 }),
});
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

function webhookOf({ card, purchase, type, amount, cleared, flag, hour }: Said, index: number): Sent {
  const { cardId, currency, rate } = card;
  const occurredAt = `2026-11-23T${hour}:00:00.000Z`;
  const about = { cardId, occurredAt, transactionId: `${cardId}/${purchase}` };
  const money = { amount, currency };
  const amounts = { merchantAmount: money, cardAmount: money, rate };
  const id = `msg-${index}`;
  const purchaseId = `${cardId}/p1`;
  switch (type) {
    case 'authorisation.requested':
      return {
        id,
        webhook: { type, data: { ...about, ...amounts, transactionId: `${cardId}/asked-${index}` } },
      };
    case 'increment.decided':
      return {
        id,
        webhook: { type, data: { ...about, ...amounts, requestId: `request-${index}`, approved: true } },
      };
    case 'authorisation.voided':
    case 'authorisation.expired':
      return { id, webhook: { type, data: about } };
    case 'purchase.cleared': {
      const clearing = { ofAuthorisation: cleared, final: flag, forced: false, interchange: '7' };
      return { id, webhook: { type, data: { ...about, ...amounts, ...clearing } } };
    }
    case 'purchase.refunded':
    case 'purchase.charged_back':
      return {
        id,
        webhook: {
          type,
          data: { ...about, ...amounts, transactionId: `${cardId}/back-${index}`, purchaseId, full: flag },
        },
      };
    case 'chargeback.reversed':
      return { id, webhook: { type, data: { ...about, ...amounts, purchaseId: flag ? purchaseId : null } } };
    default:
      return { id, webhook: { type, data: { ...about, ...amounts } } };
  }
}

/** What is asked is decided by what there is when it arrives; what is said has happened. */
const isSaid = ({ webhook: { type } }: Sent): boolean => type !== 'authorisation.requested';

/** What the issuer says of each purchase first, if everything arrives in its order. */
const AUTHORISED: readonly Sent[] = CARDS.flatMap(({ cardId, currency, rate }) =>
  ['p1', 'p2'].map(purchase => {
    const money = { amount: '50000', currency };
    const data = { cardId, occurredAt: NOON, transactionId: `${cardId}/${purchase}`, rate };
    const decided = { requestId: `first-${cardId}-${purchase}`, approved: purchase === 'p1' };
    return {
      id: `first-${cardId}-${purchase}`,
      webhook: {
        type: 'authorisation.decided',
        data: { ...data, merchantAmount: money, cardAmount: money, ...decided },
      },
    } as const;
  }),
);

/** All of it once in its order; and some of it first, in any order, and then all of it, in any other. */
const sent = fc.array(said, { maxLength: 20 }).chain(some => {
  const all = [...AUTHORISED, ...some.map(webhookOf)];
  return fc.record({
    all: fc.constant(all),
    first: fc.shuffledSubarray(all),
    then: fc.shuffledSubarray(all, { minLength: all.length }),
  });
});

async function endsOf(webhooks: readonly Sent[]) {
  const issuer = await open();
  for (const webhook of webhooks) await issuer.send(webhook);
  const [yen, dinar] = [await issuer.endOf('yen'), await issuer.endOf('dinar')];
  return { issuer, ends: { yen, dinar } };
}

it('webhooks of several cards, in any order, some twice and some late, end the same', () =>
  fc.assert(
    fc.asyncProperty(sent, async ({ all, first, then }) => {
      const [straight, other] = [
        await endsOf(all.filter(isSaid)),
        await endsOf([...first, ...then].filter(isSaid)),
      ];
      expect(other.ends).toEqual(straight.ends);
    }),
    runs(60),
  ));

it('whatever webhooks arrive, each balance is what its postings explain, with what each conversion has left', () =>
  fc.assert(
    fc.asyncProperty(sent, async ({ first, then }) => {
      const { issuer, ends } = await endsOf([...first, ...then]);
      for (const accountId of ['yen', 'dinar'] as const) {
        let posted = 0n;
        const entries = new Set<string>();
        for (const { data } of await issuer.events(accountId)) {
          if (!('entry' in data)) continue;
          expect(entries.has(`${data.transactionId} ${data.entry.id}`)).toBe(false);
          entries.add(`${data.transactionId} ${data.entry.id}`);
          posted += BigInt(data.entry.posted);
          if (!('rounding' in data)) continue;
          const { fiat, rate } = data.amounts;
          const units =
            BigInt(data.entry.posted) < 0n ? -BigInt(data.entry.posted) : BigInt(data.entry.posted);
          expect(units * BigInt(rate.per) + BigInt(data.rounding)).toBe(
            BigInt(fiat.amount) * BigInt(rate.units),
          );
        }
        const { balance, held } = ends[accountId];
        expect([balance.posted, balance.held]).toEqual([posted.toString(), held.toString()]);
      }
    }),
    runs(60),
  ));
