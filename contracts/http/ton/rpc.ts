import type { Quota } from '../../quota';
import { z } from 'zod';
import { decodeAnyBase64 } from '../../encoding/base64';
import { rootOfSmallBag } from '../../chain/ton-cells';
import { isExternalMessage, MAX_EXTERNAL_MESSAGE_BYTES } from '../../chain/ton-external-message';
import * as v4 from '../../chain/ton-v4';
import { endpoint } from '../endpoint';
import { hash256, logicalTime, tonAddress, tonNetwork, tonOfPath } from './fields';
import { LOCAL } from '../local-accounts';

/** Reads of an address through the RPC node that no cached answer serves, and its messages to a network. */
export const NODE_READS: Quota = {
  name: 'node_reads',
  of: 'calls to TON nodes that no cached answer serves',
  by: 'address',
  perMinute: 1_200,
};
export const MESSAGES: Quota = {
  name: 'messages',
  of: 'messages to TON networks',
  by: 'address',
  perMinute: 60,
};

/**
 * The RPC node: the HTTP API v4 of TON under `/rpc/{network}`, which `TonClient4` of `@ton/ton` speaks. Requests are those of
 * its source; answers are the nodes'.
 */

/** Pages of any origin may use the node, as they may use others. */
const common = { group: 'TON RPC node', cors: true, needs: tonOfPath } as const;
const root = '/rpc/{network}';

const MAX_UINT32 = 2 ** 32 - 1;
const uint32 = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,9})$/, { error: 'must be a whole number below 2^32', abort: true })
  .refine(text => Number(text) <= MAX_UINT32, 'must be a whole number below 2^32')
  .meta({ example: '1' });
const network = tonNetwork;
const seqno = uint32;
const address = tonAddress;
/** Of a transaction. */
const ofTransaction = {
  lt: logicalTime.meta({
    description: 'That of `account.last` in `/block/{seqno}/{address}/lite` is the newest',
  }),
  hash: hash256,
};

/** Identifiers, with what FunC allows in them. */
const method = z.string().regex(/^[\w.:$?!'~-]{1,128}$/, 'must be the name of a get method');

const MAX_IDS = 64;
const ids = z
  .string()
  .max(1_024)
  .regex(/^-?\d{1,10}(?:,-?\d{1,10})*$/, {
    error: 'must be numbers of parameters, separated by commas',
    abort: true,
  })
  .refine(text => text.split(',').length <= MAX_IDS, `at most ${MAX_IDS} parameters`)
  .refine(text => text.split(',').every(id => (Number(id) | 0) === Number(id)), 'numbers of 32 bits');

const args = z.string().refine(text => {
  const boc = decodeAnyBase64(text);
  return boc !== null && rootOfSmallBag(boc) !== null;
}, 'a tuple as a bag of cells, in base64');

const boc = z
  .string()
  .max(Math.ceil((MAX_EXTERNAL_MESSAGE_BYTES * 4) / 3) + 4)
  .refine(text => {
    const bytes = decodeAnyBase64(text);
    return bytes !== null && isExternalMessage(bytes);
  }, 'an external message to an account as a bag of cells, in base64');

const sourceErrors = ['upstream_unavailable', 'source_wrong_network'] as const;
/** The newest block, and answers in the cache, are not limited. */
const limited = [...sourceErrors, 'rate_limited'] as const;
const errors = [...limited, 'upstream_refused'] as const;
const forAddress = [...errors, 'network_mismatch'] as const;
const responseHeaders = {
  'Cache-Control': { description: 'A year for what never changes', required: true },
} as const;
const orNoBlock = <S extends z.ZodType>(answer: S) => z.union([answer, v4.noBlock]);

const ADDRESS = LOCAL.elector;
const example = { network: 'mainnet', seqno: '1' };
/** An empty tuple. */
const EMPTY_TUPLE = 'te6ccgEBAQEABQAABgAAAA';

export const latestBlock = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/latest`,
  summary: 'The latest masterchain block, at most a second old while a node answers',
  examples: [{ params: { network: 'mainnet' } }],
  params: z.object({ network }),
  etag: true,
  response: v4.latestBlock,
  responseHeaders: { ...responseHeaders, Age: 'Seconds since a node has answered, while none does' },
  errors: sourceErrors,
});

export const block = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/{seqno}`,
  summary: 'A masterchain block and its shard blocks, with their transactions',
  examples: [{ params: example }],
  params: z.object({ network, seqno }),
  etag: true,
  response: orNoBlock(v4.block),
  responseHeaders,
  errors,
});

export const blockAtTime = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/utime/{utime}`,
  operationId: 'getRpcBlockAtTime',
  summary: 'The block at a time in Unix seconds',
  examples: [{ params: { network: 'mainnet', utime: '1' } }],
  params: z.object({ network, utime: uint32 }),
  etag: true,
  response: orNoBlock(v4.block),
  responseHeaders,
  errors,
});

export const account = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/{seqno}/{address}`,
  operationId: 'getRpcAccount',
  summary: 'An account as of a block, with its code and data',
  examples: [{ params: { ...example, address: ADDRESS } }],
  params: z.object({ network, seqno, address }),
  etag: true,
  response: orNoBlock(v4.account),
  responseHeaders,
  errors: forAddress,
});

export const accountLite = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/{seqno}/{address}/lite`,
  operationId: 'getRpcAccountLite',
  summary: 'An account as of a block, with hashes of its code and data',
  examples: [{ params: { ...example, address: ADDRESS } }],
  params: z.object({ network, seqno, address }),
  etag: true,
  response: orNoBlock(v4.accountLite),
  responseHeaders,
  errors: forAddress,
});

export const accountChanged = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/{seqno}/{address}/changed/{lt}`,
  operationId: 'getRpcAccountChanged',
  summary: 'Whether an account has changed since the transaction at this logical time',
  examples: [{ params: { ...example, address: ADDRESS, lt: '1' } }],
  params: z.object({ network, seqno, address, lt: logicalTime }),
  etag: true,
  response: orNoBlock(v4.accountChanged),
  responseHeaders,
  errors: forAddress,
});

export const networkConfig = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/{seqno}/config`,
  summary: 'The configuration of the network as of a block',
  examples: [{ params: example }],
  params: z.object({ network, seqno }),
  etag: true,
  response: orNoBlock(v4.networkConfig),
  responseHeaders,
  errors,
});

export const configParameters = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/{seqno}/config/{ids}`,
  operationId: 'getRpcBlockConfigParameters',
  summary: 'Parameters of the configuration as of a block',
  examples: [{ params: { ...example, ids: '0,34' } }],
  params: z.object({ network, seqno, ids }),
  etag: true,
  response: orNoBlock(v4.networkConfig),
  responseHeaders,
  errors,
});

export const runMethod = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/{seqno}/{address}/run/{method}`,
  operationId: 'runRpcMethod',
  summary: 'Result of a get method without arguments, as of a block',
  examples: [{ params: { ...example, address: ADDRESS, method: 'active_election_id' } }],
  params: z.object({ network, seqno, address, method }),
  etag: true,
  response: orNoBlock(v4.methodResult),
  responseHeaders,
  errors: forAddress,
});

export const runMethodWithArguments = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/{seqno}/{address}/run/{method}/{args}`,
  operationId: 'runRpcMethodWithArguments',
  summary: 'Result of a get method, as of a block',
  examples: [{ params: { ...example, address: ADDRESS, method: 'active_election_id', args: EMPTY_TUPLE } }],
  params: z.object({ network, seqno, address, method, args }),
  etag: true,
  response: orNoBlock(v4.methodResult),
  responseHeaders,
  errors: forAddress,
});

export const accountTransactions = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/account/{address}/tx/{lt}/{hash}`,
  operationId: 'getRpcAccountTransactions',
  summary: 'A transaction of an account and the ones before it, as a bag of cells',
  examples: [{ params: { network: 'mainnet', address: ADDRESS, lt: '1', hash: 'ab'.repeat(32) } }],
  params: z.object({ network, address, ...ofTransaction }),
  etag: true,
  response: v4.transactionPage,
  responseHeaders,
  errors: [...forAddress, 'transaction_not_found'],
});

export const parsedTransactions = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/account/{address}/tx/parsed/{lt}/{hash}`,
  operationId: 'getRpcAccountTransactionsParsed',
  summary:
    'The same transactions parsed by the node, which open-source servers and local networks do not offer',
  examples: [
    {
      params: { network: 'mainnet', address: ADDRESS, lt: '1', hash: 'ab'.repeat(32) },
      query: { count: '20' },
    },
  ],
  params: z.object({ network, address, ...ofTransaction }),
  query: z.object({
    count: z
      .string()
      .regex(/^(?:[1-9]\d?|100)$/, 'must be a number from 1 to 100')
      .optional(),
  }),
  etag: true,
  response: v4.parsedTransactionPage,
  responseHeaders,
  errors: [...forAddress, 'transaction_not_found'],
});

export const sendMessage = endpoint({
  ...common,
  method: 'POST',
  path: `${root}/send`,
  operationId: 'sendRpcMessage',
  summary: 'Sends an external message to all nodes',
  examples: [
    {
      params: { network: 'mainnet' },
      body: { boc: 'te6cckEBAQEAJQAARYgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEuN2rAw==' },
    },
  ],
  params: z.object({ network }),
  body: z.object({ boc }),
  bodyLimit: 96 * 1024,
  response: v4.sendStatus,
  errors: [...limited, 'message_refused'],
});

/** What a client sends is ignored, and needs no space. */
const MAX_RECEIVED_BYTES = 1_024;

export const blockNotification = z
  .object({ seqno: z.int(), time: z.int(), now: z.int() })
  .meta({ id: 'TonBlockNotification' });
export type BlockNotification = z.input<typeof blockNotification>;

export const blockChanges = z
  .object({
    seqno: z.int(),
    /**
     * Unix seconds. Nodes give the time of their newest block alone: the frame of an older one has the time of the block
     * before it whose time is known.
     */
    lastUtime: z.int(),
    /** By address, as the nodes write it: the newest transaction of each account that the block has changed. */
    changed: z.record(z.string(), z.object({ lt: z.string(), hash: z.string() })),
  })
  .meta({ id: 'TonBlockChanges' });
export type BlockChanges = z.input<typeof blockChanges>;

/** Begins with the newest block. No block is left out: where this cannot be, the connection is closed with 1013. */
export const watchBlocks = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/watch`,
  operationId: 'watchRpcBlocks',
  kind: 'websocket',
  summary: 'Notifies of every masterchain block',
  examples: [{ params: { network: 'mainnet' } }],
  params: z.object({ network }),
  bodyLimit: MAX_RECEIVED_BYTES,
  response: blockNotification,
});

/** As `watchBlocks`. The wallet follows this one. */
export const watchChanges = endpoint({
  ...common,
  method: 'GET',
  path: `${root}/block/watch/changed`,
  operationId: 'watchRpcBlockChanges',
  kind: 'websocket',
  summary: 'Notifies of every masterchain block and the accounts it changed',
  examples: [{ params: { network: 'mainnet' } }],
  params: z.object({ network }),
  bodyLimit: MAX_RECEIVED_BYTES,
  response: blockChanges,
});
