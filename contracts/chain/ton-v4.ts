import { z } from 'zod';

/**
 * Answers of the HTTP API v4 of TON (https://github.com/tonwhales/ton-api-v4), as `TonClient4` of `@ton/ton` reads them.
 * Hashes and bags of cells are base64. What a node adds is left out.
 */

const hash = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'a hash of 32 bytes in base64');
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, 'base64');
/** A logical time or an amount. */
const decimal = z.string().regex(/^\d{1,78}$/, 'decimal digits');
const uint = z.int().min(0);
const address = z
  .string()
  .regex(/^(?:[\w+/-]{48}|-?\d{1,10}:[0-9a-fA-F]{64})$/, 'an address, friendly or raw');

export const blockId = z
  .object({
    workchain: z.int(),
    seqno: uint,
    /** A signed integer of 64 bits. */
    shard: z.string().regex(/^-?\d{1,20}$/),
    rootHash: hash,
    fileHash: hash,
  })
  .meta({ id: 'TonBlockId' });
export type BlockId = z.output<typeof blockId>;

export const latestBlock = z.object({
  last: blockId,
  /** The zerostate. */
  init: z.object({ rootHash: hash, fileHash: hash }),
  stateRootHash: z.string(),
  /** Time of the block in Unix seconds. */
  now: uint,
});
export type LatestBlock = z.output<typeof latestBlock>;

/** No node has this block. */
export const noBlock = z.object({ exist: z.literal(false) });

export const block = z.object({
  exist: z.literal(true),
  block: z.object({
    /** The masterchain block, and those of other chains since the one before it. */
    shards: z.array(
      blockId.extend({
        transactions: z.array(z.object({ account: address, hash, lt: decimal })),
      }),
    ),
  }),
});
export type Block = z.output<typeof block>;

/** Open-source servers send amounts of extra currencies as numbers, which `TonClient4` refuses. */
const amount = z.union([decimal, uint.transform(String)]).pipe(z.string());

const balance = z.object({ coins: decimal, currencies: z.record(z.string().regex(/^\d{1,10}$/), amount) });
const lastTransaction = z.object({ lt: decimal, hash }).nullable();
const storageStat = z
  .object({
    lastPaid: uint,
    duePayment: decimal.nullable(),
    // Newer nodes no longer count public cells; `TonClient4` before version 16 of @ton/ton requires their number.
    used: z.object({ bits: uint, cells: uint, publicCells: uint.default(0) }),
  })
  .nullable();
const uninit = z.object({ type: z.literal('uninit') });
const frozen = z.object({ type: z.literal('frozen'), stateHash: hash });

export const account = z.object({
  account: z.object({
    state: z.discriminatedUnion('type', [
      uninit,
      z.object({ type: z.literal('active'), code: base64.nullable(), data: base64.nullable() }),
      frozen,
    ]),
    balance,
    last: lastTransaction,
    storageStat,
  }),
  block: blockId,
});

export const accountLite = z.object({
  account: z.object({
    state: z.discriminatedUnion('type', [
      uninit,
      z.object({ type: z.literal('active'), codeHash: hash, dataHash: hash }),
      frozen,
    ]),
    balance,
    last: lastTransaction,
    storageStat,
  }),
});

export const accountChanged = z.object({ changed: z.boolean(), block: blockId });

export const networkConfig = z.object({
  exist: z.literal(true).optional(),
  config: z.object({ cell: base64, address: z.string(), globalBalance: z.object({ coins: decimal }) }),
});

export const methodResult = z.object({
  /** As the node has read the arguments, and decoded the result. */
  arguments: z.array(z.unknown()).optional(),
  result: z.array(z.unknown()).optional(),
  exitCode: z.int(),
  /** The stack: a tuple. */
  resultRaw: base64.nullable(),
  block: blockId,
  shardBlock: blockId,
});

/** One bag of cells with a root for each transaction, the newest first; each is in the block at its index. */
export const transactionPage = z.object({ blocks: z.array(blockId).max(1_000), boc: base64 });

/** With what some servers make of the transactions. */
export const parsedTransactionPage = z.object({
  blocks: z.array(blockId).max(1_000),
  transactions: z.array(z.looseObject({ lt: decimal, hash })).max(1_000),
});

export const sendStatus = z.object({ status: z.int() });
