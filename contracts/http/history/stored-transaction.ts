import { z } from 'zod';

/** Decimal integers; nanotons unless a token item says otherwise. */
const integer = z.string().regex(/^-?\d+$/);
const ref = z.object({ lt: z.string(), hash: z.string() });
const externalAddress = z.object({ bits: z.int(), data: z.string() }).nullable();
const accountStatus = z.enum(['uninitialized', 'frozen', 'active', 'non-existing']);

const internalInfo = z.object({
  type: z.literal('internal'),
  value: integer,
  dest: z.string(),
  src: z.string(),
  bounced: z.boolean(),
  bounce: z.boolean(),
  ihrDisabled: z.boolean(),
  createdAt: z.int(),
  createdLt: z.string(),
  fwdFee: integer,
  ihrFee: integer,
  /** Which bounce the sender asked for: 1 for the format of version 12 of the network, with 2 for the whole body in it. */
  extraFlags: z.int(),
  extraCurrency: z.record(z.string(), integer).optional(),
});

const message = z
  .object({
    /** Base64 BoC. */
    body: z.string(),
    info: z.discriminatedUnion('type', [
      internalInfo,
      z.object({
        type: z.literal('external-in'),
        dest: z.string(),
        src: externalAddress,
        importFee: integer,
      }),
      z.object({ type: z.literal('external-out'), dest: externalAddress }),
    ]),
    init: z
      .object({
        splitDepth: z.int().nullable(),
        code: z.string().nullable(),
        data: z.string().nullable(),
        special: z.object({ tick: z.boolean(), tock: z.boolean() }).nullable(),
        libraries: z.array(z.object({ hash: z.string(), public: z.boolean(), root: z.string() })).optional(),
      })
      .nullable(),
  })
  .meta({ id: 'TonMessage' });

const parsed = z.object({
  /** The sequence number that the owner of the wallet signed. */
  seqno: z.int().nullable(),
  body: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('comment'), comment: z.string() }),
      z.object({ type: z.literal('payload') }),
    ])
    .nullable(),
  /**
   * `failed`: of an outgoing transaction, what was requested did not happen, or came back; of an incoming one, the account sent
   * its value back. What comes back to the account is a success that is `bounced`.
   */
  status: z.enum(['success', 'failed', 'pending']),
  /** First receiver: also of what was requested but not sent, and of the message that came back. Null when there is none. */
  dest: z.string().nullable(),
  kind: z.enum(['out', 'in']),
  /** Negative when `kind` is `out`. */
  amount: integer,
  /** The other side. */
  resolvedAddress: z.string(),
  bounced: z.boolean(),
  /** Of the message that came back, where the bounce says it (format of version 12 of the network). */
  bounce: z
    .object({
      amount: integer,
      phase: z.enum(['compute_skipped', 'compute', 'action', 'unknown']),
      exitCode: z.int(),
    })
    .optional(),
  /** The other addresses that the messages name. */
  mentioned: z.array(z.string()),
});

const operation = z.object({
  address: z.string(),
  comment: z.string().optional(),
  /** A token, if any, comes first. Its amount is in the token's smallest unit; its master has confirmed the token wallet. */
  items: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('token'), amount: integer, master: z.string() }),
        z.object({ kind: z.literal('ton'), amount: integer }),
      ]),
    )
    .min(1),
  /** `res` is a key of the wallet's dictionary. */
  op: z.object({ res: z.string(), options: z.record(z.string(), z.unknown()).optional() }).optional(),
});

/** A message that was requested but not sent. */
const unsent = z.object({ dest: z.string(), amount: integer, comment: z.string().optional() });

/** A TON transaction as wallets show it: addresses friendly, hashes base64, amounts decimal strings. */
export const storedTransaction = z
  .object({
    address: z.string(),
    lt: z.string(),
    hash: z.string(),
    prevTransaction: ref,
    time: z.int(),
    outMessagesCount: z.int(),
    oldStatus: accountStatus,
    newStatus: accountStatus,
    fees: integer,
    update: z.object({ oldHash: z.string(), newHash: z.string() }),
    inMessage: message.nullable(),
    outMessages: z.array(message),
    parsed,
    operation,
    /** Where some of several requested messages were sent, the others; when none was, all. */
    unsent: z.array(unsent).optional(),
  })
  .meta({ id: 'TonTransaction' });

export type StoredTransaction = z.output<typeof storedTransaction>;
export type StoredMessage = z.output<typeof message>;
export type StoredOperation = z.output<typeof operation>;
