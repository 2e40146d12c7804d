import { v5 } from 'uuid';
import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { encryptedText } from '../text/personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of card holders, one stream per network and key. */
export const CARD_USER_CATEGORY = 'cardUser';

export function cardUserStream(userId: string): string {
  return `${CARD_USER_CATEGORY}-${userId}`;
}

const NAMESPACE = 'b5f2c1de-0a44-5c35-8f5e-6f2f3f1c9a21';

/** A UUIDv5: who enrols again is the same user, with any wallet of the key. @param publicKey hex */
export function cardUserId(network: TonNetwork, publicKey: string): string {
  return v5(`${network}/${publicKey.toLowerCase()}`, NAMESPACE);
}

/** Of a phone number and of an e-mail address a code is asked for. */
export const CARD_CONTACT_KINDS = ['phone', 'email'] as const;
export type CardContactKind = (typeof CARD_CONTACT_KINDS)[number];

/** As the wire spells them. */
export const KYC_RESULTS = ['GREEN', 'RED'] as const;
export type KycResult = (typeof KYC_RESULTS)[number];

const about = {
  userId: z.string(),
  network: z.enum(TON_NETWORKS),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};
const contact = {
  ...about,
  kind: z.enum(CARD_CONTACT_KINDS),
  /** Counts the codes of the user. */ codeId: z.int(),
};

// These types are the storage format.
const enrolled = eventType({
  name: 'CardUserEnrolled',
  schema: z.object({
    ...about,
    /** Hex: one key signs for the wallets of both chains. */
    publicKey: z.string(),
    /** Whether an invitation has opened the card service to the user, or none is needed. */
    invited: z.boolean(),
    /** Where it was asked for, see `CallerSource`. */
    source: z.string(),
  }),
});
/** By enrolling again with an invitation. */
const invited = eventType({ name: 'CardUserInvited', schema: z.object(about) });
/** Proved by its key. */
const walletConnected = eventType({
  name: 'CardUserWalletConnected',
  schema: z.object({
    ...about,
    chain: z.enum(['ton', 'solana']),
    /** Raw on TON, base58 on Solana. */
    address: z.string(),
    /** Of a wallet of TON. */
    version: z.enum(['v4r2', 'v5r1']).nullable(),
  }),
});
/** A code was asked for, which the event does not have: it follows from its id and a key of the installation. */
const codeRequested = eventType({
  name: 'CardUserCodeRequested',
  schema: z.object({
    ...contact,
    /** The number or address. */ contact: encryptedText,
    expiresAt: z.iso.datetime(),
  }),
});
const codeFailed = eventType({ name: 'CardUserCodeFailed', schema: z.object(contact) });
const contactConfirmed = eventType({
  name: 'CardUserContactConfirmed',
  schema: z.object({ ...contact, contact: encryptedText }),
});
/** The user has asked to be identified: the issuer is told to begin. */
const kycStarted = eventType({ name: 'CardUserKycStarted', schema: z.object(about) });
/** By the issuer. */
const kycDecided = eventType({
  name: 'CardUserKycDecided',
  schema: z.object({
    ...about,
    result: z.enum(KYC_RESULTS),
    /** When the issuer has decided: an earlier decision that arrives later changes nothing. */
    decidedAt: z.iso.datetime(),
    /** JSON of what the issuer knows of the person; null when it says nothing. */
    profile: encryptedText.nullable(),
  }),
});
const suspended = eventType({
  name: 'CardUserSuspended',
  schema: z.object({ ...about, by: z.string(), reason: encryptedText }),
});
const resumed = eventType({ name: 'CardUserResumed', schema: z.object({ ...about, by: z.string() }) });
/** All tokens that were issued before it are dead. */
const tokensRevoked = eventType({
  name: 'CardUserTokensRevoked',
  schema: z.object({
    ...about,
    by: z.string(),
    /** Times that all were revoked, this one included. */ epoch: z.int(),
  }),
});

export const cardUserEvents = eventFamily(
  ...([
    enrolled,
    invited,
    walletConnected,
    codeRequested,
    codeFailed,
    contactConfirmed,
    kycStarted,
    kycDecided,
    suspended,
    resumed,
    tokensRevoked,
  ] as const),
);
export type CardUserEvent = EventOf<
  | typeof enrolled
  | typeof invited
  | typeof walletConnected
  | typeof codeRequested
  | typeof codeFailed
  | typeof contactConfirmed
  | typeof kycStarted
  | typeof kycDecided
  | typeof suspended
  | typeof resumed
  | typeof tokensRevoked
>;
