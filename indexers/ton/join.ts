import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { SourceError, type TonSource } from './source/port';
import { letter, type Letter, type Postmark } from './letters';
import { isFirst, isOlder, walkBack } from './walk';

/** An account that was deleted and lives again has a chain that begins anew: that, too, leads to any head. */
const leadsTo = (head: TransactionRef, prev: TransactionRef): boolean =>
  isFirst(prev) || (prev.lt === head.lt && prev.hash === head.hash);

/**
 * The transactions of an account between its head (exclusive) and `from` (inclusive), oldest first: what a source
 * has not listed, such as blocks between a split of shards and the next masterchain block. Held in memory: it is
 * what one account can do in that time.
 * @throws SourceError when the chain does not lead to the head.
 */
export async function joinChain(
  source: TonSource,
  head: TransactionRef,
  from: TransactionRef,
  postmark: Postmark,
  signal: AbortSignal,
): Promise<Letter[]> {
  const missing: Letter[] = [];
  if (leadsTo(head, from)) return missing;
  for await (const steps of walkBack(source, postmark.account, from, signal)) {
    for (const { cell, header } of steps) {
      if (!isOlder(head, header)) break;
      missing.push(letter(cell, header, postmark));
      if (leadsTo(head, header.prev)) return missing.reverse();
    }
    if (!isOlder(head, steps.at(-1)!.header)) break;
  }
  throw new SourceError(
    `${postmark.account}: the chain from ${from.lt} does not lead to the published ${head.lt}`,
  );
}
