import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { cardMerchant } from './card-account';
import { encryptedText } from '../text/personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of what an issuer asks card holders, one stream per challenge. */
export const CARD_CHALLENGE_CATEGORY = 'cardChallenge';

/** @param challengeId of the issuer, unique on a network */
export function cardChallengeStream(network: TonNetwork, challengeId: string): string {
  return `${CARD_CHALLENGE_CATEGORY}-${network}:${challengeId}`;
}

/** As the wire spells them: one that is answered with a button, and codes that are typed elsewhere. */
export const CARD_CHALLENGE_KINDS = ['confirmation_request', 'otp_code', 'activation_code'] as const;
export type CardChallengeKind = (typeof CARD_CHALLENGE_KINDS)[number];

export const CARD_CHALLENGE_ANSWERS = ['CONFIRMED', 'REJECTED'] as const;
export type CardChallengeAnswer = (typeof CARD_CHALLENGE_ANSWERS)[number];

export const CARD_CHALLENGE_OUTCOMES = ['confirmed', 'rejected', 'expired'] as const;
export type CardChallengeOutcome = (typeof CARD_CHALLENGE_OUTCOMES)[number];

const about = {
  challengeId: z.string(),
  network: z.enum(TON_NETWORKS),
  userId: z.string(),
  accountId: z.string(),
  cardId: z.string(),
  at: z.iso.datetime(),
};

// These types are the storage format.
const received = eventType({
  name: 'CardChallengeReceived',
  schema: z.object({
    ...about,
    kind: z.enum(CARD_CHALLENGE_KINDS),
    /** Of one whose code is typed elsewhere. */
    code: encryptedText.nullable(),
    /** In the smallest unit of the merchant's currency; null of an activation. */
    amount: z.object({ amount: z.string().regex(/^\d+$/), currency: z.string() }).nullable(),
    merchant: cardMerchant.nullable(),
    expiresAt: z.iso.datetime(),
  }),
});
/** By the card holder, once: the issuer is to be told. */
const answered = eventType({
  name: 'CardChallengeAnswered',
  schema: z.object({ ...about, answer: z.enum(CARD_CHALLENGE_ANSWERS) }),
});
/** The issuer no longer waits. */
const ended = eventType({
  name: 'CardChallengeEnded',
  schema: z.object({ ...about, outcome: z.enum(CARD_CHALLENGE_OUTCOMES) }),
});
/** It was long ago: nothing is known of it any more. */
const removed = eventType({ name: 'CardChallengeRemoved', schema: z.object(about) });

export const cardChallengeEvents = eventFamily(received, answered, ended, removed);
export type CardChallengeEvent = EventOf<typeof received | typeof answered | typeof ended | typeof removed>;
