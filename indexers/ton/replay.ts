import { Cell } from '@ton/core';
import { decodeTonDeadLetter, TON_DEAD_LETTERS } from '../../contracts/chain/ton';
import type { Log } from '../../infra/log/port';
import { letter } from './letters';
import { post, type TonIndexerMetrics } from './post';

export interface Replayed {
  readonly read: number;
  /** Those that the decoder of today can read: they are on the topic of transactions now. */
  readonly revived: number;
}

/**
 * Decodes the dead letters anew, after the decoder has learnt something. They stay where they are; one that is revived
 * again is a transaction that comes twice, which its readers do not mind.
 */
export async function replayTonDeadLetters(
  log: Log,
  metrics: TonIndexerMetrics,
  signal: AbortSignal,
): Promise<Replayed> {
  const ends = await log.ends(TON_DEAD_LETTERS.name);
  let [read, revived] = [0, 0];
  for (const partition of ends.keys()) {
    const from = { topic: TON_DEAD_LETTERS.name, partition, from: 0, follow: false, signal };
    for await (const { messages } of log.read(from)) {
      const letters = messages.map(({ value }) => {
        const { network, account, lt, hash, seqno, raw } = decodeTonDeadLetter(value);
        const origin = seqno === null ? 'backfill' : 'tail';
        return letter(Cell.fromBase64(raw), { lt, hash }, { network, account, seqno, origin });
      });
      const alive = letters.filter(({ dead }) => !dead);
      await post(log, alive, metrics);
      read += letters.length;
      revived += alive.length;
    }
  }
  return { read, revived };
}
