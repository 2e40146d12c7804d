import { z } from 'zod';
import type { BlockHeader, Commitment } from '../chain/ledger';
import { NO_BLOCKHASH } from '../chain/restore';
import { BLOCKHASH_AGE, slotAt } from '../chain/unfinalized';
import { blockCleanedUp, blockNotAvailable, invalidParams, longTermSlotSkipped, slotSkipped } from './error';
import { contextSlot, Json, method, type Method, type Node } from './method';
import { anyContext, orEncoding, historyContext, transactionFormat, u64 } from './params';
import { accountsOnlyJson, transactionFields } from './transaction-json';

const MAX_RANGE = 500_000;

/** @throws -32004, -32001, -32007 or -32009, depending on the slot */
const blockOf = ({ chain }: Node, slot: number, commitment: Commitment): BlockHeader => {
  if (slot > slotAt(chain.unfinalized, commitment)) throw blockNotAvailable(slot);
  const header = chain.queries.block(slot);
  if (header) return header;
  const first = chain.queries.firstSlot();
  if (slot < first) throw blockCleanedUp(slot, first);
  // Public nodes look old slots up in long-term storage, and say so.
  throw chain.unfinalized.root.slot - slot > BLOCKHASH_AGE ? longTermSlotSkipped(slot) : slotSkipped(slot);
};

const blockConfig = z.looseObject({
  ...historyContext.shape,
  ...transactionFormat,
  transactionDetails: z.enum(['full', 'accounts', 'signatures', 'none']).default('full'),
  rewards: z.boolean().nullish(),
});
type BlockConfig = z.output<typeof blockConfig>;

const transactionsJson = ({ chain }: Node, slot: number, config: BlockConfig): string => {
  const { transactionDetails, encoding, maxSupportedTransactionVersion: limit } = config;
  if (transactionDetails === 'none') return '';
  const transactions = chain.queries.transactions(slot);
  if (transactionDetails === 'signatures')
    return `"signatures":${JSON.stringify(transactions.map(({ signature }) => signature))},`;
  const entries = transactions.map(transaction =>
    transactionDetails === 'full'
      ? transactionFields(transaction, encoding, limit)
      : accountsOnlyJson(transaction, limit),
  );
  return `"transactions":[${entries.map(fields => `{${fields}}`).join(',')}],`;
};

const blockJson = (node: Node, header: BlockHeader, config: BlockConfig): Json => {
  const parent = node.chain.queries.blockBefore(header.slot);
  const rest = {
    blockHeight: header.height,
    blockTime: header.time,
    blockhash: header.blockhash,
    parentSlot: parent?.slot ?? 0,
    previousBlockhash: parent?.blockhash ?? NO_BLOCKHASH,
    ...(config.rewards !== false && { rewards: [] }),
  };
  return new Json(`{${transactionsJson(node, header.slot, config)}${JSON.stringify(rest).slice(1)}`);
};

const slotRange = (node: Node, from: number, to: number, limit: number, commitment: Commitment): number[] =>
  node.chain.queries.slots(from, Math.min(to, slotAt(node.chain.unfinalized, commitment)), limit);

/** The last slot of getBlocks is optional; the configuration may be in its place. */
const endOrContext = z.union([u64, historyContext]).nullish();
const config = orEncoding(historyContext);

/** Methods about blocks. */
export const BLOCK_METHODS: Readonly<Record<string, Method>> = {
  getBlock: method([u64, orEncoding(blockConfig)], (node, at, config) =>
    blockJson(node, blockOf(node, at, config.commitment), config),
  ),
  getBlockTime: method([u64], (node, at) => blockOf(node, at, 'confirmed').time),
  getBlocks: method([u64, endOrContext, config], (node, from, end, given) => {
    const { commitment } = typeof end === 'object' && end ? end : given;
    const to = typeof end === 'number' ? end : from + MAX_RANGE;
    if (to - from > MAX_RANGE) throw invalidParams(`slot range too large; max ${MAX_RANGE}`);
    return slotRange(node, from, to, MAX_RANGE + 1, commitment);
  }),
  getBlocksWithLimit: method([u64, u64.max(MAX_RANGE), config], (node, from, limit, { commitment }) =>
    slotRange(node, from, Number.MAX_SAFE_INTEGER, limit, commitment),
  ),
  getFirstAvailableBlock: method([], ({ chain }) => chain.queries.firstSlot()),
  minimumLedgerSlot: method([anyContext], (node, config) => {
    contextSlot(node, config);
    return node.chain.queries.firstSlot();
  }),
};
