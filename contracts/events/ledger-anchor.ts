import { z } from 'zod';
import { anchorProof, anchorTransaction } from '../ledger-tree/anchor';
import { checkpoint } from '../ledger-tree/checkpoint';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/**
 * The category of the streams of wallets that anchor heads of the ledger: what each has signed, one message at a time. They are
 * about the ledger and not part of it.
 */
export const LEDGER_ANCHOR_CATEGORY = 'ledgerAnchor';

/** @param account raw */
export function ledgerAnchorStream(network: TonNetwork, account: string): string {
  return `${LEDGER_ANCHOR_CATEGORY}-${network}:${account}`;
}

const about = {
  network: z.enum(TON_NETWORKS),
  /** Of the wallet, raw. */
  account: z.string(),
  /** Messages that were signed so far, this one included: two that know the same number cannot both sign the next. */
  count: z.int().positive(),
  /** Of the wallet, in the message. */
  seqno: z.int().min(0),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

const message = {
  ...about,
  /** Whose head the message has. */
  checkpoint,
  /** Unix seconds: from then on the wallet refuses it. */
  validUntil: z.int(),
};

// These types are the storage format. Each event but `LedgerAnchorProven` is the whole state: a decision needs no earlier event.
/** Signed once, and from here on the only message of the wallet that anybody sends, always with the same bytes. */
const signed = eventType({
  name: 'LedgerAnchorSigned',
  schema: z.object({
    ...message,
    /** Bag of cells in base64. */
    message: z.string(),
  }),
});
/**
 * The wallet has sent the head. The proof is that of the transaction alone: others may take long. An earlier version recorded one
 * that reaches further here, and one that was made later as another event of the same count.
 */
const anchored = eventType({
  name: 'LedgerHeadAnchored',
  schema: z.object({ ...message, transaction: anchorTransaction, proof: anchorProof }),
});
/** That the wallet has sent the head of this count, which need not be the last one, is proven further than before. */
const proven = eventType({ name: 'LedgerAnchorProven', schema: z.object({ ...about, proof: anchorProof }) });

export const ANCHOR_FAILURES = ['expired', 'dropped', 'replaced', 'not_sent'] as const;

/**
 * The head is not on the chain. `expired`: the message can be in no block any more. `dropped`: it was in one, which a fork has taken
 * back, and can be in no other. `replaced`: another message has used its seqno. `not_sent`: the wallet took it, and did not send
 * the head.
 */
const failed = eventType({
  name: 'LedgerAnchorFailed',
  schema: z.object({ ...about, reason: z.enum(ANCHOR_FAILURES) }),
});

export const ledgerAnchorEvents = eventFamily(signed, anchored, proven, failed);
export type LedgerAnchorSigned = EventOf<typeof signed>;
export type LedgerHeadAnchored = EventOf<typeof anchored>;
export type LedgerAnchorProven = EventOf<typeof proven>;
export type LedgerAnchorFailed = EventOf<typeof failed>;
export type LedgerAnchorEvent = EventOf<typeof signed | typeof anchored | typeof proven | typeof failed>;
