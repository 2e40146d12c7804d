import { decodeTonDeadLetter, TON_DEAD_LETTERS, type TonDeadLetter } from '../../contracts/chain/ton';
import type { TonNetwork } from '../../contracts/network';
import type { Log } from '../../contracts/ports/log';

export interface DeadLettersWanted {
  /** Default: of every network. */
  readonly network?: TonNetwork | undefined;
  readonly signal: AbortSignal;
}

/** The transactions that could not be decoded, up to where the topic ends now, in pages that may be empty. */
export async function* readTonDeadLetters(
  log: Log,
  { network, signal }: DeadLettersWanted,
): AsyncGenerator<TonDeadLetter[]> {
  const ends = await log.ends(TON_DEAD_LETTERS.name);
  for (const partition of ends.keys()) {
    const from = { topic: TON_DEAD_LETTERS.name, partition, from: 0, follow: false, signal };
    for await (const { messages } of log.read(from)) {
      const letters = messages.map(({ value }) => decodeTonDeadLetter(value));
      yield letters.filter(letter => network === undefined || letter.network === network);
    }
  }
}
