import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CARD_ISSUER_REQUESTS, type CardIssuerCallName } from '../../../contracts/card-issuer/protocol';
import type { IssuerRefusal } from '../../../contracts/card-issuer/issuer';
import type { IssuerWebhookInput } from '../../../contracts/card-issuer/webhooks';
import type { TonNetwork } from '../../../contracts/network/network';
import { newMessageId } from './delivery';
import { rateOf } from './prices';
import { CARD_SCENARIOS, type CardScenarioName, type Cast, type Step } from './scenarios';
import type { IssuerStore } from './store';

/** The call is refused. */
export class Refused extends Error {
  constructor(readonly reason: IssuerRefusal) {
    super(reason);
  }
}

const SOON_MS = 50;
const CHANGED = { freeze: 'frozen', unfreeze: 'unfrozen', block: 'blocked', close: 'closed' } as const;

export const scenarioRequest = z.object({
  scenario: z.enum(Object.keys(CARD_SCENARIOS) as [CardScenarioName, ...CardScenarioName[]]),
  cardId: z.string(),
  /** In the smallest unit of the card's currency. */
  amount: z
    .string()
    .regex(/^[1-9]\d{0,20}$/)
    .default('1250'),
  transactionId: z.string().optional(),
  /** What the merchant is paid in; default: the card's currency, and the same amount. */
  merchantAmount: z
    .object({ amount: z.string().regex(/^\d{1,20}$/), currency: z.string().length(3) })
    .optional(),
});

/** What the double does when it is called. */
export function createCalls(store: IssuerStore, wake: () => void) {
  const play = (network: TonNetwork, steps: readonly Step[], id = `play_${randomUUID()}`): string => {
    store.put('play', id, { play: id, network, approved: null, confirmed: null });
    let dueAt = Date.now();
    for (const { afterMs = SOON_MS, webhook, only = null, times = 1, fault = null } of steps) {
      dueAt += afterMs;
      const messageId = newMessageId();
      const body = typeof webhook === 'string' ? webhook : JSON.stringify(webhook);
      const rest = { attempts: 0, state: 'waiting', answer: null } as const;
      store.put('message', messageId, { id: messageId, play: id, dueAt, body, only, times, fault, ...rest });
      const challenge = challengeIn(webhook);
      if (challenge)
        store.put('challenge', challenge.challengeId, { ...challenge, play: id, confirmed: null });
    }
    wake();
    return id;
  };
  const cardOf = (cardId: string) => {
    const card = store.get('card', cardId);
    if (!card) throw new Refused('unknown_card');
    return card;
  };
  const now = (): string => new Date().toISOString();

  const calls = {
    kyc({ userId, network }: z.output<(typeof CARD_ISSUER_REQUESTS)['kyc']>) {
      const data = { userId, result: 'GREEN', decidedAt: now(), profile: PERSON } as const;
      play(network, [{ webhook: { type: 'kyc.decided', data } }]);
      return { ok: true };
    },
    issue(order: z.output<(typeof CARD_ISSUER_REQUESTS)['issue']>) {
      const { cardId, network } = order;
      const known = store.get('card', cardId);
      const lastFourDigits = known?.lastFourDigits ?? String(randomInt(10_000)).padStart(4, '0');
      store.put('card', cardId, known ?? { order, lastFourDigits, changed: -1 });
      const data = { cardId, occurredAt: now(), issuerCardId: `sandbox-${cardId}`, lastFourDigits };
      const made: Step[] = order.delivery
        ? [{ webhook: shipped(cardId, 'PERSONALIZED') }, { webhook: shipped(cardId, 'DISPATCHED') }]
        : [];
      play(network, [{ webhook: { type: 'card.issued', data } }, ...made]);
      return { ok: true };
    },
    change({ cardId, use, number }: z.output<(typeof CARD_ISSUER_REQUESTS)['change']>) {
      const card = cardOf(cardId);
      if (number <= card.changed) return { ok: true };
      store.put('card', cardId, { ...card, changed: number });
      const data = { cardId, occurredAt: now(), to: CHANGED[use] };
      play(card.order.network, [{ webhook: { type: 'card.changed', data } }]);
      return { ok: true };
    },
    challenge({ challengeId, isConfirmed }: z.output<(typeof CARD_ISSUER_REQUESTS)['challenge']>) {
      const challenge = store.get('challenge', challengeId);
      if (!challenge || challenge.expiresAt <= Date.now()) throw new Refused('challenge_expired');
      if (challenge.confirmed !== null) return { ok: true };
      store.put('challenge', challengeId, { ...challenge, confirmed: isConfirmed });
      store.put('play', challenge.play, { ...store.get('play', challenge.play)!, confirmed: isConfirmed });
      wake();
      return { ok: true };
    },
    apple({ cardId }: z.output<(typeof CARD_ISSUER_REQUESTS)['apple']>) {
      cardOf(cardId);
      return {
        encryptedData: sandboxData(256),
        activationData: sandboxData(64),
        ephemeralPublicKey: sandboxData(65),
      };
    },
    google({ cardId }: z.output<(typeof CARD_ISSUER_REQUESTS)['google']>) {
      cardOf(cardId);
      return { encryptedData: sandboxData(256) };
    },
    rate: ({ accountCurrency, fiatCurrency }: z.output<(typeof CARD_ISSUER_REQUESTS)['rate']>) =>
      rateOf(accountCurrency, fiatCurrency),
  } satisfies Record<CardIssuerCallName, (given: never) => object>;

  return {
    call(name: CardIssuerCallName, body: unknown): object {
      const given = CARD_ISSUER_REQUESTS[name].safeParse(body);
      if (!given.success) throw new Refused('invalid');
      return (calls[name] as (given: unknown) => object)(given.data);
    },
    /** @returns the id of the run */
    playScenario(body: unknown): { readonly play: string } {
      const given = scenarioRequest.safeParse(body);
      if (!given.success) throw new Refused('invalid');
      const { scenario, cardId, amount, transactionId = `txn_${randomUUID()}` } = given.data;
      const { order } = cardOf(cardId);
      const now = Date.now();
      const cast: Cast = {
        cardId,
        transactionId,
        userId: order.userId,
        amount: BigInt(amount),
        currency: order.fiatCurrency,
        merchantAmount: given.data.merchantAmount ?? { amount, currency: order.fiatCurrency },
        rate: rateOf(order.accountCurrency, order.fiatCurrency),
        at: ms => new Date(now + ms).toISOString(),
      };
      return { play: play(order.network, CARD_SCENARIOS[scenario].steps(cast)) };
    },
  };
}

function shipped(cardId: string, status: 'PERSONALIZED' | 'DISPATCHED'): IssuerWebhookInput {
  const occurredAt = new Date().toISOString();
  return { type: 'card.shipment', data: { cardId, occurredAt, status, trackNumber: null } };
}

function challengeIn(webhook: Step['webhook']) {
  if (typeof webhook === 'string' || webhook.type !== 'challenge.requested') return null;
  const { challengeId, expiresAt } = webhook.data;
  return { challengeId, expiresAt: Date.parse(expiresAt) };
}

/** Nobody. */
const PERSON = {
  firstName: 'Sandbox',
  lastName: 'Holder',
  dateOfBirth: '1990-01-01',
  country: 'DE',
  documentKind: 'passport',
  documentNumber: 'SANDBOX',
  documentCountry: 'DE',
};

/** Encrypts nothing: no wallet of a phone takes it. */
const sandboxData = (bytes: number): string => randomBytes(bytes).toString('base64');
