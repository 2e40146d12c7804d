import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import type { TailDeps } from './deps';
import { Hole, messageOf } from './errors';
import { headsWithin, type Heads } from './heads';
import { inOrder } from './in-order';
import { joinChain } from './join';
import type { Letter } from './letters';
import type { Plan } from './plan';
import type { ShardRange } from './shards';

import { isOlder } from './walk';

export interface Loaded extends Plan {
  readonly letters: ReadonlyMap<string, readonly Letter[]>;
}

const SWEEP_WINDOW = 16;

/** The heads as one block leaves them; they become the heads of all only when the whole block is settled. */
function draft(heads: Heads) {
  const moved = new Map<string, TransactionRef>();
  return {
    get: (account: string) => moved.get(account) ?? heads.get(account),
    move: (account: string, to: TransactionRef) => void moved.set(account, to),
    keep: () => moved.forEach((to, account) => heads.move(account, to)),
  };
}
type Draft = ReturnType<typeof draft>;

interface Settling {
  readonly deps: TailDeps;
  readonly heads: Draft;
  readonly seqno: number;
  readonly signal: AbortSignal;
}

const missing = (
  { deps, seqno, signal }: Settling,
  account: string,
  head: TransactionRef,
  from: TransactionRef,
) => joinChain(deps.source, head, from, { network: deps.network, account, seqno, origin: 'tail' }, signal);

/** Continues an account's chain with letters of a block, filling in what was not listed between. */
async function continueChain(
  settling: Settling,
  account: string,
  letters: readonly Letter[],
): Promise<Letter[]> {
  const chain: Letter[] = [];
  for (const next of letters) {
    const head = settling.heads.get(account);
    if (head && !isOlder(head, next)) continue;
    if (head && next.prev) chain.push(...(await missing(settling, account, head, next.prev)));
    chain.push(next);
    settling.heads.move(account, next);
  }
  return chain;
}

/** Asks each followed account of a shard whose blocks were not all listed for what it did meanwhile. */
async function* sweep(settling: Settling, range: ShardRange): AsyncGenerator<Letter[]> {
  const { deps, heads, seqno, signal } = settling;
  for await (const page of headsWithin(deps.documents, deps.network, range))
    yield* inOrder(page, SWEEP_WINDOW, async ({ account, lt, hash }) => {
      const head = heads.get(account) ?? { lt, hash };
      const last = await deps.source.last(account, seqno, signal);
      if (!last || !isOlder(head, last)) return [];
      const letters = await missing(settling, account, head, last);
      heads.move(account, last);
      return letters;
    });
}

const byLt = (a: Letter, b: Letter): number => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1);

/**
 * What a block adds to the log, in the order of logical time, and moves the heads there. Every followed account's
 * chain is joined to its head, whatever the source has left out.
 * @throws Hole when a chain cannot be joined; the heads are then where they were.
 */
export async function settle(
  deps: TailDeps,
  heads: Heads,
  { block: { seqno }, letters, lost }: Loaded,
  signal: AbortSignal,
): Promise<Letter[]> {
  const settling = { deps, heads: draft(heads), seqno, signal };
  const all: Letter[] = [];
  try {
    for (const [account, found] of letters) all.push(...(await continueChain(settling, account, found)));
    for (const range of lost) {
      const { workchain, from, to } = range;
      deps.logger.warn(
        { seqno, workchain, from: from.toString(16), to: to.toString(16) },
        'not every block of a new shard was listed: asking each followed account of it',
      );
      for await (const found of sweep(settling, range)) all.push(...found);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new Hole(seqno, messageOf(error), { cause: error });
  }
  settling.heads.keep();
  return all.sort(byLt);
}
