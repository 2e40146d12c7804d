import type { IssuerWebhookInput } from '../../../contracts/card-issuer/webhooks';
import type { Message } from './store';

/** What a scenario is played with. Amounts are of the smallest unit of the card's currency. */
export interface Cast {
  readonly cardId: string;
  readonly userId: string;
  readonly transactionId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly merchantAmount: { readonly amount: string; readonly currency: string };
  readonly rate: { readonly units: string; readonly per: string };
  /** RFC 3339, of an instant so many milliseconds after the scenario began. */
  at(ms: number): string;
}

export interface Step extends Partial<Pick<Message, 'only' | 'times' | 'fault'>> {
  /** After the step before it. */
  readonly afterMs?: number;
  /** A text is sent as it is. */
  readonly webhook: IssuerWebhookInput | string;
}

interface Scenario {
  readonly description: string;
  readonly steps: (cast: Cast) => readonly Step[];
}

const NEXT_MS = 200;
/** The issuer's own time for an answer of the holder. */
export const CHALLENGE_MS = 120_000;
const merchant = {
  dirtyName: 'COFFEE 123 BERLIN',
  cleanName: 'Coffee (sandbox)',
  country: 'DE',
  merchantId: 'm-1',
};

function purchase({ cardId, transactionId, currency, rate, merchantAmount, at }: Cast, amount: bigint) {
  const cardAmount = { amount: String(amount), currency };
  return { cardId, transactionId, occurredAt: at(0), rate, merchantAmount, cardAmount, merchant };
}

const request = (cast: Cast, rest: Partial<Step> = {}): Step => ({
  webhook: { type: 'authorisation.requested', data: purchase(cast, cast.amount) },
  ...rest,
});

const clear = (cast: Cast, amount: bigint, rest: Partial<Step> = {}, final = true): Step => ({
  afterMs: NEXT_MS,
  only: 'approved',
  webhook: {
    type: 'purchase.cleared',
    data: {
      ...purchase(cast, amount),
      ofAuthorisation: String(amount),
      final,
      forced: false,
      interchange: String(amount / 100n),
    },
  },
  ...rest,
});

const reverse = (cast: Cast, amount: bigint): Step => ({
  afterMs: NEXT_MS,
  only: 'approved',
  webhook: { type: 'authorisation.reversed', data: purchase(cast, amount) },
});

const ended = (cast: Cast, type: 'authorisation.voided' | 'authorisation.expired'): Step => ({
  afterMs: NEXT_MS,
  only: 'approved',
  webhook: {
    type,
    data: { cardId: cast.cardId, transactionId: cast.transactionId, occurredAt: cast.at(0) },
  },
});

const back = (cast: Cast, type: 'purchase.refunded' | 'purchase.charged_back'): Step => ({
  afterMs: NEXT_MS,
  only: 'approved',
  webhook: {
    type,
    data: {
      ...purchase({ ...cast, transactionId: `${cast.transactionId}-back` }, cast.amount),
      purchaseId: cast.transactionId,
      full: true,
    },
  },
});

const wonBack = (cast: Cast): Step => ({
  afterMs: NEXT_MS,
  only: 'approved',
  webhook: {
    type: 'chargeback.reversed',
    data: {
      ...purchase({ ...cast, transactionId: `${cast.transactionId}-won` }, cast.amount),
      purchaseId: cast.transactionId,
    },
  },
});

function challenge(
  cast: Cast,
  kind: 'confirmation_request' | 'otp_code' | 'activation_code',
  forMs = CHALLENGE_MS,
): Step {
  const { cardId, transactionId, merchantAmount: amount, at } = cast;
  const asked = { cardId, challengeId: transactionId, occurredAt: at(0), expiresAt: at(forMs) };
  const code = '4711';
  if (kind === 'activation_code')
    return { webhook: { type: 'challenge.requested', data: { ...asked, kind, code } } };
  const data =
    kind === 'otp_code' ? { ...asked, kind, code, amount, merchant } : { ...asked, kind, amount, merchant };
  return { webhook: { type: 'challenge.requested', data } };
}

const kyc = ({ userId, at }: Cast, result: 'GREEN' | 'RED', ms = 0): Step => ({
  afterMs: NEXT_MS,
  webhook: { type: 'kyc.decided', data: { userId, result, decidedAt: at(ms) } },
});

const shipment = (cast: Cast, status: 'PERSONALIZED' | 'DISPATCHED' | 'DELIVERED'): Step => ({
  afterMs: NEXT_MS,
  webhook: {
    type: 'card.shipment',
    data: {
      cardId: cast.cardId,
      occurredAt: cast.at(0),
      status,
      trackNumber: status === 'PERSONALIZED' ? null : 'RR1',
    },
  },
});

const changed = (cast: Cast, to: 'frozen' | 'unfrozen' | 'blocked' | 'closed', ms = 0): Step => ({
  afterMs: NEXT_MS,
  webhook: {
    type: 'card.changed',
    data: { cardId: cast.cardId, occurredAt: cast.at(ms), to, reason: 'by the issuer' },
  },
});

const check = ({ cardId, at }: Cast, of: 'card' | null, ms = 0): Step => ({
  afterMs: NEXT_MS,
  webhook: { type: 'card.verification', data: { cardId, occurredAt: at(ms), of } },
});

const part = ({ amount }: Cast, percent: bigint): bigint => (amount * percent) / 100n;

const increment = (cast: Cast): Step => ({
  afterMs: NEXT_MS,
  only: 'approved',
  webhook: { type: 'increment.requested', data: purchase(cast, part(cast, 20n)) },
});

export const CARD_SCENARIOS = {
  purchase: {
    description: 'authorised and cleared',
    steps: cast => [request(cast), clear(cast, cast.amount)],
  },
  'three-d-secure': {
    description: 'the holder confirms with the button; then authorised, and cleared in two parts',
    steps: cast => [
      challenge(cast, 'confirmation_request'),
      request(cast, { only: 'confirmed' }),
      clear(cast, part(cast, 60n), {}, false),
      clear(cast, cast.amount - part(cast, 60n)),
    ],
  },
  'otp-code': {
    description: 'the holder types a code elsewhere; nothing is bought',
    steps: cast => [challenge(cast, 'otp_code')],
  },
  'activation-code': {
    description: 'a code that adds the card to the wallet of a phone',
    steps: cast => [challenge(cast, 'activation_code')],
  },
  'challenge-expired': {
    description: 'the question of the issuer expires long before the time that it has named',
    steps: cast => [
      challenge(cast, 'confirmation_request'),
      {
        afterMs: NEXT_MS,
        webhook: {
          type: 'challenge.ended',
          data: {
            cardId: cast.cardId,
            challengeId: cast.transactionId,
            occurredAt: cast.at(0),
            outcome: 'expired',
          },
        },
      },
    ],
  },
  'split-clearing': {
    description: 'authorised, cleared in two parts of 48 and 40 percent',
    steps: cast => [request(cast), clear(cast, part(cast, 48n), {}, false), clear(cast, part(cast, 40n))],
  },
  increment: {
    description: 'authorised, increased by a fifth, cleared for the new total',
    steps: cast => [request(cast), increment(cast), clear(cast, part(cast, 120n))],
  },
  'partial-reversal': {
    description: 'authorised, 40 percent reversed, the rest cleared',
    steps: cast => [
      request(cast),
      reverse(cast, part(cast, 40n)),
      clear(cast, cast.amount - part(cast, 40n)),
    ],
  },
  reversal: {
    description: 'authorised, then reversed in full',
    steps: cast => [request(cast), ended(cast, 'authorisation.voided')],
  },
  expiry: {
    description: 'authorised, never cleared, and so expired',
    steps: cast => [request(cast), ended(cast, 'authorisation.expired')],
  },
  'force-post': {
    description: 'cleared without an authorisation',
    steps: cast => [
      {
        webhook: {
          type: 'purchase.cleared',
          data: { ...purchase(cast, cast.amount), ofAuthorisation: '0', final: true, forced: true },
        },
      },
    ],
  },
  refund: {
    description: 'authorised, cleared, refunded',
    steps: cast => [request(cast), clear(cast, cast.amount), back(cast, 'purchase.refunded')],
  },
  chargeback: {
    description: 'authorised, cleared, charged back',
    steps: cast => [request(cast), clear(cast, cast.amount), back(cast, 'purchase.charged_back')],
  },
  'chargeback-lost': {
    description: 'authorised, cleared, charged back, and the merchant wins',
    steps: cast => [
      request(cast),
      clear(cast, cast.amount),
      back(cast, 'purchase.charged_back'),
      wonBack(cast),
    ],
  },
  unanswered: {
    description: 'the request never arrives: the issuer approves it on its own, and clears it',
    steps: cast => [request(cast, { fault: 'unanswered' }), clear(cast, cast.amount)],
  },
  'late-answer': {
    description: 'the answer comes too late: the issuer has declined on its own',
    steps: cast => [request(cast, { fault: 'late' })],
  },
  reordered: {
    description: 'cleared before it is authorised',
    steps: cast => [
      clear(cast, cast.amount, { afterMs: 0, only: null }),
      request(cast, { afterMs: NEXT_MS }),
    ],
  },
  'at-once': {
    description: 'an increment, a partial reversal, and the clearing of a part, all at the same time',
    steps: cast => [
      request(cast),
      { ...increment(cast), afterMs: NEXT_MS },
      { ...reverse(cast, part(cast, 40n)), afterMs: 0 },
      clear(cast, part(cast, 50n), { afterMs: 0 }, false),
      clear(cast, part(cast, 30n)),
    ],
  },
  repeated: {
    description: 'a refunded purchase, each webhook three times, also after later ones',
    steps: cast =>
      [request(cast), clear(cast, cast.amount), back(cast, 'purchase.refunded')].map(step => ({
        ...step,
        times: 3,
      })),
  },
  shipment: {
    description: 'the plastic card is made, sent, and delivered',
    steps: cast => [
      shipment(cast, 'PERSONALIZED'),
      shipment(cast, 'DISPATCHED'),
      shipment(cast, 'DELIVERED'),
    ],
  },
  'frozen-by-issuer': {
    description: 'the issuer freezes the card on its own, and unfreezes it',
    steps: cast => [changed(cast, 'frozen'), changed(cast, 'unfrozen', 1)],
  },
  'frozen-reordered': {
    description: 'the same, and a check of the card, in reverse order: what ends them arrives first',
    steps: cast => [
      ...[changed(cast, 'unfrozen', 1), changed(cast, 'frozen')],
      ...[check(cast, null, 1), check(cast, 'card')],
    ],
  },
  'closed-by-issuer': { description: 'the issuer closes the card', steps: cast => [changed(cast, 'closed')] },
  'card-replaced': {
    description: 'authorised, the card is replaced by another one, cleared with the old one',
    steps: cast => [
      request(cast),
      {
        afterMs: NEXT_MS,
        webhook: { type: 'card.replaced', data: { cardId: cast.cardId, occurredAt: cast.at(0) } },
      },
      clear(cast, cast.amount),
    ],
  },
  'kyc-red-after-green': {
    description: 'the issuer rejects the holder whom it had accepted',
    steps: cast => [kyc(cast, 'GREEN'), kyc(cast, 'RED', 1)],
  },
  'unknown-type': {
    description: 'a webhook of an undocumented type',
    steps: () => [{ webhook: '{"type":"card.painted","data":{}}' }],
  },
  'unknown-card': {
    description: 'a purchase with a card that nobody has',
    steps: cast => [request({ ...cast, cardId: `${cast.cardId}-other` })],
  },
  'bad-signature': {
    description: 'signed by somebody else, then authorised and cleared',
    steps: cast => [request(cast, { fault: 'bad-signature' }), request(cast), clear(cast, cast.amount)],
  },
  'old-timestamp': {
    description: 'signed an hour ago, then authorised and cleared',
    steps: cast => [request(cast, { fault: 'old-timestamp' }), request(cast), clear(cast, cast.amount)],
  },
} satisfies Record<string, Scenario>;

export type CardScenarioName = keyof typeof CARD_SCENARIOS;
