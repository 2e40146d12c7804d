import { Cell } from '@ton/core';
import {
  decodeTonDeadLetter,
  TON_DEAD_LETTERS,
  TON_TRANSACTIONS,
  type TonDeadLetter,
} from '../../contracts/chain/ton';
import type { TonNetwork } from '../../contracts/network/network';
import type { Log } from '../../contracts/ports/log';
import { readDeadLetters } from '../dead-letters';
import { toUnverifiedRecord } from './records';
import { beginsTrace, nodeOfRecord } from './traces/node';
import { openTrace, traceMessage } from './traces/open-trace';

interface DeadLetterQuery {
  /** Default: every network. */
  readonly network?: TonNetwork | undefined;
  readonly signal: AbortSignal;
}

/** The transactions that could not be decoded, up to the current end of the topic, in pages that may be empty. */
async function* readTonDeadLetters(
  log: Log,
  { network, signal }: DeadLetterQuery,
): AsyncGenerator<TonDeadLetter[]> {
  for await (const page of readDeadLetters(log, TON_DEAD_LETTERS.name, signal))
    yield page.map(decodeTonDeadLetter).filter(dead => network === undefined || dead.network === network);
}

export interface Replayed {
  readonly read: number;
  /** Those that the current decoder can decode; they were published to the topic of transactions. */
  readonly published: number;
}

/**
 * Decodes the dead letters again with the current decoder, and publishes those that succeed. The dead letters remain, so a
 * replay may publish a transaction twice, which is harmless. Their jetton wallets are not verified, which needs the chain: no
 * token moves in such a transaction as history shows it.
 */
export async function replayTonDeadLetters(log: Log, query: DeadLetterQuery): Promise<Replayed> {
  let [read, published] = [0, 0];
  for await (const page of readTonDeadLetters(log, query)) {
    const replayed = page.map(({ network, account, lt, hash, seqno, raw }) => {
      const origin = seqno === null ? 'backfill' : 'tail';
      const record = toUnverifiedRecord(
        Cell.fromBase64(raw),
        { lt, hash },
        { network, account, seqno, origin },
      );
      return { network, record };
    });
    const decoded = replayed.filter(({ record }) => !record.dead);
    // Nothing has followed what they caused.
    const traces = decoded
      .filter(({ record }) => beginsTrace(record))
      .map(({ network, record }) => traceMessage(network, openTrace(nodeOfRecord(record)!), 'abandoned'));
    if (decoded.length > 0)
      await log.publish(TON_TRANSACTIONS.name, [...decoded.map(({ record }) => record.message), ...traces]);
    read += replayed.length;
    published += decoded.length;
  }
  return { read, published };
}
