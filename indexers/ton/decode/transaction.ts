import { loadTransaction, type Cell, type Transaction } from '@ton/core';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import { externalHashes } from './external';
import { transactionHeader } from './header';
import { decodeMessage } from './message';
import { externalSeqno, isExtensionRequest, relayedSeqno } from './wallet';

/** Raise it when the decoded form changes: a replay of the topic then makes documents anew from the raw bytes. */
export const DECODER_VERSION = 1;

interface Outcome {
  readonly success: boolean;
  readonly exitCode: number | null;
  readonly actionCode: number | null;
}

/**
 * A transfer to an address without code aborts with its compute phase skipped, and yet the value stays: only when
 * it was returned has it failed.
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
 * Decodes the cell of a transaction of `account` (raw: the cell names no workchain).
 * @throws Error when the cell is not a transaction as the network's schema (block.tlb) has it.
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
