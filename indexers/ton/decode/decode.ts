import { beginCell, Cell, loadTransaction, storeMessage, type Message, type Transaction } from '@ton/core';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import { transactionHeader } from './header';
import { decodeMessage } from './message';
import { externalSeqno, isExtensionRequest, relayedSeqno } from './wallet';

/** Raise it when the decoded form changes: a replay of the topic then rebuilds documents from the raw bytes. */
export const DECODER_VERSION = 1;

interface Outcome {
  readonly success: boolean;
  readonly exitCode: number | null;
  readonly actionCode: number | null;
}

/**
 * A transfer to an address without code aborts with its compute phase skipped, but the value is credited: it has failed
 * only when the value bounced.
 */
function outcome({ description }: Transaction): Outcome {
  const compute = 'computePhase' in description ? description.computePhase : null;
  const action = ('actionPhase' in description && description.actionPhase) || null;
  const returned = 'bouncePhase' in description && Boolean(description.bouncePhase);
  const ran = compute?.type === 'vm' ? compute : null;
  return {
    success: !returned && ran?.success !== false && action?.success !== false,
    exitCode: ran ? ran.exitCode : null,
    actionCode: action ? action.resultCode : null,
  };
}

function request(tx: Transaction, op: number | null): Pick<TonTransaction, 'direction' | 'walletSeqno'> {
  const message = tx.inMessage;
  if (!message) return { direction: 'out', walletSeqno: null };
  if (message.info.type !== 'internal') return { direction: 'out', walletSeqno: externalSeqno(message.body) };
  const walletSeqno = relayedSeqno(message.body);
  const acts = tx.outMessages.size > 0 && (walletSeqno !== null || isExtensionRequest(op));
  return { direction: acts ? 'out' : 'in', walletSeqno: acts ? walletSeqno : null };
}

/**
 * Hashes by which a sender may look up the external message that a transaction received: of the cell as it was sent,
 * and normalized by TEP-467 (no source, no import fee, no state init, body in a reference).
 * `transaction` is the cell of the transaction, whose first reference holds the messages.
 */
function externalHashes(transaction: Cell, message: Message): { hash: string; normalized: string } | null {
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

/**
 * Decodes the cell of a transaction of `account` (raw: the cell names no workchain).
 * @throws Error when the cell is not a transaction of the network's schema (block.tlb).
 */
export function decodeTransaction(account: string, cell: Cell): TonTransaction {
  const header = transactionHeader(cell);
  const tx = loadTransaction(cell.beginParse());
  const inMessage = tx.inMessage ? decodeMessage(tx.inMessage) : null;
  return {
    account,
    ...header,
    time: tx.now,
    statusBefore: tx.oldStatus,
    statusAfter: tx.endStatus,
    stateBefore: tx.stateUpdate.oldHash.toString('base64'),
    stateAfter: tx.stateUpdate.newHash.toString('base64'),
    fees: tx.totalFees.coins.toString(),
    inMessage,
    outMessages: tx.outMessages.values().map(decodeMessage),
    ...outcome(tx),
    ...request(tx, inMessage?.op ?? null),
    external: tx.inMessage ? externalHashes(cell, tx.inMessage) : null,
  };
}

/** The decoder for projections, which read raw transactions (base64 BoC) from the log. */
export const tonDecoder = {
  version: DECODER_VERSION,
  decode: (account: string, raw: string): TonTransaction => decodeTransaction(account, Cell.fromBase64(raw)),
};
