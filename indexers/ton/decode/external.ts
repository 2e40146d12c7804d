import { beginCell, storeMessage, type Cell, type Message } from '@ton/core';

/**
 * Hashes by which a sender may look for the external message that a transaction took in: of the cell as it was sent,
 * and normalized as TEP-467 says (no source, no import fee, no state init, body in a reference).
 * `transaction` is the cell of the transaction, whose first reference holds the messages.
 */
export function externalHashes(
  transaction: Cell,
  message: Message,
): { hash: string; normalized: string } | null {
  if (message.info.type !== 'external-in') return null;
  const sent = transaction.refs[0]!.refs[0]!;
  const normalized = beginCell().store(
    storeMessage(
      { info: { ...message.info, src: null, importFee: 0n }, init: null, body: message.body },
      { forceRef: true },
    ),
  );
  return {
    hash: sent.hash().toString('base64'),
    normalized: normalized.endCell().hash().toString('base64'),
  };
}
