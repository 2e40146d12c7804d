import {
  beginCell,
  Cell,
  Dictionary,
  loadTransaction,
  storeMessage,
  type Message,
  type Transaction,
} from '@ton/core';
import '../../../contracts/chain/ton-cells-copied';
import type { TonMessage, TonTransaction } from '../../../contracts/chain/ton-transaction';
import { transactionHeader } from './header';
import { decodeMessage } from './message';
import { unsentMessages } from './unsent';
import { externalRequest, internalRequest } from './wallet';
import type { WalletRequest } from './wallet-request';

/** Raise it when the decoded form changes: a replay of the topic then rebuilds documents from the raw bytes. */
export const DECODER_VERSION = 2;

interface Outcome {
  /** No phase failed, and the incoming message was not returned. */
  readonly done: boolean;
  readonly exitCode: number | null;
  readonly actionCode: number | null;
  readonly totalActions: number;
  readonly skippedActions: number;
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
    done: !returned && ran?.success !== false && action?.success !== false,
    exitCode: ran ? ran.exitCode : null,
    actionCode: action ? action.resultCode : null,
    totalActions: action?.totalActions ?? 0,
    skippedActions: action?.skippedActions ?? 0,
  };
}

/** What the owner requested; `direction` is `in` when the transaction is not due to the owner. */
interface Requested extends Pick<TonTransaction, 'direction'> {
  readonly request: WalletRequest | null;
}

/** A wallet ignores a request of somebody who is not allowed to make it: then there are no actions. */
function requested({ inMessage }: Transaction, { totalActions }: Outcome): Requested {
  if (!inMessage) return { direction: 'out', request: null };
  if (inMessage.info.type !== 'internal')
    return { direction: 'out', request: externalRequest(inMessage.body) };
  const request = inMessage.info.bounced || totalActions === 0 ? null : internalRequest(inMessage.body);
  return { direction: request ? 'out' : 'in', request };
}

type Result = Pick<
  TonTransaction,
  | 'direction'
  | 'success'
  | 'exitCode'
  | 'actionCode'
  | 'skippedActions'
  | 'unsent'
  | 'walletOperations'
  | 'walletSeqno'
>;

function resultOf(account: string, tx: Transaction, sent: readonly TonMessage[]): Result {
  const phases = outcome(tx);
  const { done, exitCode, actionCode, skippedActions } = phases;
  const { direction, request } = requested(tx, phases);
  const complete = done && skippedActions === 0;
  return {
    direction,
    success: done && !(direction === 'out' && skippedActions > 0 && sent.length === 0),
    exitCode,
    actionCode,
    skippedActions,
    unsent: complete || !request ? [] : unsentMessages(account, request.messages, sent),
    walletOperations: request?.operations ?? [],
    walletSeqno: request?.seqno ?? null,
  };
}

/** The cells of the messages: `^[in_msg:(Maybe ^Message) out_msgs:(HashmapE 15 ^Message)]`, the first reference of a transaction. */
function messageCells(transaction: Cell): { received: Cell | null; sent: readonly Cell[] } {
  const slice = transaction.refs[0]!.beginParse();
  const received = slice.loadMaybeRef();
  return { received, sent: slice.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()).values() };
}

/**
 * Hashes by which a sender may look up the external message that a transaction received: of the cell as it was sent,
 * and normalized by TEP-467 (no source, no import fee, no state init, body in a reference).
 */
function externalHashes(cell: Cell, message: Message): { hash: string; normalized: string } | null {
  if (message.info.type !== 'external-in') return null;
  const normalized = beginCell().store(
    storeMessage(
      { info: { ...message.info, src: null, importFee: 0n }, init: null, body: message.body },
      { forceRef: true },
    ),
  );
  return {
    hash: cell.hash().toString('base64'),
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
  const { received, sent } = messageCells(cell);
  const outMessages = tx.outMessages.values().map((message, at) => decodeMessage(message, sent[at]!.hash()));
  return {
    account,
    ...header,
    time: tx.now,
    statusBefore: tx.oldStatus,
    statusAfter: tx.endStatus,
    stateBefore: tx.stateUpdate.oldHash.toString('base64'),
    stateAfter: tx.stateUpdate.newHash.toString('base64'),
    fees: tx.totalFees.coins.toString(),
    inMessage: tx.inMessage ? decodeMessage(tx.inMessage, received!.hash()) : null,
    outMessages,
    ...resultOf(account, tx, outMessages),
    external: tx.inMessage ? externalHashes(received!, tx.inMessage) : null,
  };
}

/** The decoder for projections, which read raw transactions (base64 BoC) from the log. */
export const tonDecoder = {
  version: DECODER_VERSION,
  decode: (account: string, raw: string): TonTransaction => decodeTransaction(account, Cell.fromBase64(raw)),
};
