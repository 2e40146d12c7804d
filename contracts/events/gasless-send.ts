import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of gasless transfers, one per wallet and seqno: a wallet carries out one request of each seqno. */
export const GASLESS_SEND_CATEGORY = 'gaslessSend';

/** @param wallet raw */
export function gaslessSendStream({ network, wallet, seqno }: GaslessSendRef): string {
  return `${GASLESS_SEND_CATEGORY}-${network}:${wallet}:${seqno}`;
}

/** A request of a wallet, by the seqno of the wallet that it uses up. */
export interface GaslessSendRef {
  readonly network: TonNetwork;
  /** Raw. */
  readonly wallet: string;
  readonly seqno: number;
}

/** What every event about a request of a wallet has. */
export const aboutGaslessRequest = {
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  wallet: z.string(),
  seqno: z.int().min(0),
  /** Of what the wallet has signed, hex. */
  bodyHash: z.string(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

/** A decimal integer. */
const integer = z.string().regex(/^\d+$/);

const transaction = z.object({ lt: z.string(), hash: z.string() });

// These types are the storage format.
/** The relayer has taken it on: durable before anything is sent. */
const accepted = eventType({
  name: 'GaslessSendAccepted',
  schema: z.object({
    ...aboutGaslessRequest,
    /** Of the message as it was handed over first, hex. */
    carrierHash: z.string(),
    /** By which callers may ask for it, hex: of the body, and of the messages that may have it, that one included. */
    hashes: z.array(z.string()),
    quoteKey: z.string(),
    /** Where the call came from, a pseudonym: who causes requests that are refused waits. */
    source: z.string(),
    /** Raw: of the relay wallet, and of the master of the jetton. */
    relay: z.string(),
    master: z.string(),
    /** Raw: who gets the jettons. */
    destination: z.string(),
    /** Smallest units of the jetton. */
    amount: integer,
    commission: integer,
    /** Nanotons: what the relayer attaches, and what the emulation says that it loses. */
    attached: integer,
    loss: integer,
    /** That of the quote: so many smallest units of the jetton for so many nanotons. */
    rate: z.object({ units: integer, nanotons: integer }),
    /** Bags of cells in base64: what the wallet has signed, and its state where it does not exist yet. */
    body: z.string(),
    init: z.object({ code: z.string(), data: z.string() }).nullable(),
    /** Unix seconds: from then on the wallet refuses it. */
    validUntil: z.int(),
  }),
});
/**
 * A message of the relay wallet that sends it on is in a block. While that is so nobody sends it again. Recorded once more when a fork
 * has taken back what became of it.
 */
const relayed = eventType({
  name: 'GaslessSendRelayed',
  schema: z.object({
    ...aboutGaslessRequest,
    relaySeqno: z.int(),
    /** Of the cell of the message, hex. */
    messageHash: z.string(),
  }),
});
/** Both transfers have arrived. */
const confirmed = eventType({
  name: 'GaslessSendConfirmed',
  schema: z.object({ ...aboutGaslessRequest, transaction }),
});
/** The wallet has refused it, and the coins came back. Its seqno is not used up by this. */
const bounced = eventType({
  name: 'GaslessSendBounced',
  schema: z.object({ ...aboutGaslessRequest, /** Null where no code ran. */ exitCode: z.int().nullable() }),
});
/** The wallet has carried it out, and not both transfers have arrived. Its seqno is used up. */
const skipped = eventType({
  name: 'GaslessSendSkipped',
  schema: z.object({ ...aboutGaslessRequest, transaction }),
});
/** The message that was to send it on has not done so, and will not: a fork has taken it back. It waits to be sent on again. */
const unsent = eventType({
  name: 'GaslessSendUnsent',
  schema: z.object({ ...aboutGaslessRequest, /** Of that message, hex. */ messageHash: z.string() }),
});
/** What the relayer was paid, which a fork may take back: then it may be earned once more. */
const commission = {
  ...aboutGaslessRequest,
  /** The transaction of the wallet. */
  transaction,
  /** How often a commission of the request was earned before. */
  occurrence: z.int().min(0),
  /** Raw: of the relay wallet, and of the master of the jetton. */
  relay: z.string(),
  master: z.string(),
  /** Smallest units of the jetton. */
  commission: integer,
  /** What it was worth in TON by the rate of the quote, and what a TON cost in the currency of the ledger: decimals. */
  ton: z.string(),
  tonPrice: z.string(),
  /** In the currency of the ledger. */
  feeAmount: z.string(),
};
const commissionEarned = eventType({ name: 'GaslessCommissionEarned', schema: z.object(commission) });
const commissionRetracted = eventType({
  name: 'GaslessCommissionRetracted',
  version: 2,
  schema: z.object({
    ...commission,
    /** RFC 3339 UTC: `at` of the event by which it was earned. */ earnedAt: z.string(),
  }),
  upcasts: { 1: data => ({ ...data, earnedAt: data['at']! }) },
});
/** It was never sent on, and the wallet would refuse it now. */
const expired = eventType({ name: 'GaslessSendExpired', schema: z.object(aboutGaslessRequest) });

/** It ended long ago: the stream is to be deleted, and what has its hashes. */
const removed = eventType({
  name: 'GaslessSendRemoved',
  schema: z.object({
    ...aboutGaslessRequest,
    /** Of all requests of the stream. */ hashes: z.array(z.string()),
  }),
});

export const gaslessSendEvents = eventFamily(
  ...([
    accepted,
    relayed,
    confirmed,
    bounced,
    skipped,
    unsent,
    commissionEarned,
    commissionRetracted,
    expired,
    removed,
  ] as const),
);
export type GaslessSendAccepted = EventOf<typeof accepted>;
export type GaslessCommissionEarned = EventOf<typeof commissionEarned>;
export type GaslessSendEvent = EventOf<
  | typeof accepted
  | typeof relayed
  | typeof confirmed
  | typeof bounced
  | typeof skipped
  | typeof unsent
  | typeof commissionEarned
  | typeof commissionRetracted
  | typeof expired
  | typeof removed
>;
