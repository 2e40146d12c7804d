import { z } from 'zod';
import type { Commitment } from '../chain/ledger';
import { firstPosition, positionOf } from '../chain/schema';
import { BLOCKHASH_AGE, findLive, openBlockOf, slotAt } from '../chain/unfinalized';
import { invalidParams } from './error';
import { contextSlot, Json, method, type Method, type Node, withContext } from './method';
import { address, orEncoding, historyContext, signature, transactionFormat } from './params';
import { transactionFields } from './transaction-json';

const MAX_STATUSES = 256;
const MAX_HISTORY = 1000;

/** The commitment that a slot has reached. */
export function commitmentOf({ chain: { unfinalized } }: Node, slot: number): Commitment {
  return slot <= unfinalized.root.slot
    ? 'finalized'
    : slot <= slotAt(unfinalized, 'confirmed')
      ? 'confirmed'
      : 'processed';
}

const statusOf = (node: Node, wanted: string, everywhere: boolean): object | null => {
  const { unfinalized, queries } = node.chain;
  const found = findLive(unfinalized, wanted) ?? queries.transaction(wanted);
  if (!found) return null;
  const { slot, err } = found;
  const open = openBlockOf(unfinalized);
  if (!everywhere && slot < open.slot - BLOCKHASH_AGE) return null;
  const block = unfinalized.blocks.find(each => each.slot === slot);
  return {
    slot,
    confirmations: block ? open.height - block.height : null,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus: commitmentOf(node, slot),
  };
};

const positionOfSignature = ({ chain }: Node, wanted: string): number | null => {
  const found = chain.queries.transaction(wanted);
  return found && positionOf(found);
};

const transactionConfig = z.looseObject({ ...historyContext.shape, ...transactionFormat });
const historyConfig = z.looseObject({
  ...historyContext.shape,
  limit: z.number().int().min(1).max(MAX_HISTORY).default(MAX_HISTORY),
  before: signature.nullish(),
  until: signature.nullish(),
});

/** Methods about transactions. */
export const HISTORY_METHODS: Readonly<Record<string, Method>> = {
  getSignatureStatuses: method(
    [
      z.array(signature).max(MAX_STATUSES),
      z.looseObject({ searchTransactionHistory: z.boolean().nullish() }).nullish(),
    ],
    (node, signatures, config) =>
      withContext(
        node,
        { commitment: 'processed' },
        signatures.map(each => statusOf(node, each, config?.searchTransactionHistory === true)),
      ),
  ),
  getTransaction: method([signature, orEncoding(transactionConfig)], (node, wanted, config) => {
    const found = node.chain.queries.transaction(wanted);
    if (!found || found.slot > slotAt(node.chain.unfinalized, config.commitment)) return null;
    const { slot } = found;
    const fields = transactionFields(found, config.encoding, config.maxSupportedTransactionVersion);
    const blockTime = node.chain.queries.block(slot)?.time ?? null;
    return new Json(`{"slot":${slot},"blockTime":${JSON.stringify(blockTime)},${fields}}`);
  }),
  getSignaturesForAddress: method([address, orEncoding(historyConfig)], (node, key, config) => {
    const newest = firstPosition(contextSlot(node, config) + 1);
    const before = config.before ? positionOfSignature(node, config.before) : newest;
    if (before === null) throw invalidParams('1.before: transaction not found');
    const after = config.until ? (positionOfSignature(node, config.until) ?? -1) : -1;
    const range = { before: Math.min(newest, before), after, limit: config.limit };
    return node.chain.queries.history(key, range).map(({ time, ...entry }) => ({
      ...entry,
      blockTime: time,
      confirmationStatus: commitmentOf(node, entry.slot),
    }));
  }),
};
