import { z } from 'zod';
import type { Commitment } from '../chain/ledger';
import { firstPosition, positionOf } from '../chain/schema';
import { BLOCKHASH_AGE, findLive, openBlockOf, slotAt } from '../chain/window';
import { invalidParams } from './error';
import { contextSlot, Json, method, type Method, type Node, withContext } from './method';
import { address, orEncoding, settledContext, signature, transactionFormat } from './params';
import { transactionFields } from './transaction-json';

const MAX_STATUSES = 256;
const MAX_HISTORY = 1000;

/** How settled a slot is by now. */
export function commitmentOf({ chain: { window } }: Node, slot: number): Commitment {
  return slot <= window.root.slot
    ? 'finalized'
    : slot <= slotAt(window, 'confirmed')
      ? 'confirmed'
      : 'processed';
}

const statusOf = (node: Node, wanted: string, everywhere: boolean): object | null => {
  const { window, queries } = node.chain;
  const found = findLive(window, wanted) ?? queries.transaction(wanted);
  if (!found) return null;
  const { slot, err } = found;
  const open = openBlockOf(window);
  if (!everywhere && slot < open.slot - BLOCKHASH_AGE) return null;
  const block = window.blocks.find(each => each.slot === slot);
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

const transactionConfig = z.looseObject({ ...settledContext.shape, ...transactionFormat });
const historyConfig = z.looseObject({
  ...settledContext.shape,
  limit: z.number().int().min(1).max(MAX_HISTORY).default(MAX_HISTORY),
  before: signature.nullish(),
  until: signature.nullish(),
});

/** Calls about transactions that have run. */
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
    if (!found || found.slot > slotAt(node.chain.window, config.commitment)) return null;
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
    const window = { before: Math.min(newest, before), after, limit: config.limit };
    return node.chain.queries.history(key, window).map(({ time, ...entry }) => ({
      ...entry,
      blockTime: time,
      confirmationStatus: commitmentOf(node, entry.slot),
    }));
  }),
};
