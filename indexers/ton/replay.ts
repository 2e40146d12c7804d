import { Cell } from '@ton/core';
import { TON_TRANSACTIONS } from '../../contracts/chain/ton';
import type { Log } from '../../contracts/ports/log';
import { readTonDeadLetters, type DeadLettersWanted } from './dead-letters';
import { letter } from './letters';

export interface Replayed {
  readonly read: number;
  /** Those that the decoder of today can read: they are on the topic of transactions now. */
  readonly revived: number;
}

/**
 * Decodes the dead letters anew, after the decoder has learnt something. They stay where they are; one that is revived
 * again is a transaction that comes twice, which its readers do not mind.
 */
export async function replayTonDeadLetters(log: Log, wanted: DeadLettersWanted): Promise<Replayed> {
  let [read, revived] = [0, 0];
  for await (const dead of readTonDeadLetters(log, wanted)) {
    const letters = dead.map(({ network, account, lt, hash, seqno, raw }) => {
      const origin = seqno === null ? 'backfill' : 'tail';
      return letter(Cell.fromBase64(raw), { lt, hash }, { network, account, seqno, origin });
    });
    const alive = letters.filter(each => !each.dead).map(({ message }) => message);
    if (alive.length > 0) await log.publish(TON_TRANSACTIONS.name, alive);
    read += letters.length;
    revived += alive.length;
  }
  return { read, revived };
}
