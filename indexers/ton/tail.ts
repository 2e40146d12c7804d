import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress, TailDeps } from './deps';
import { Hole, messageOf, WrongChain } from './errors';
import { loadHeads } from './heads';
import { grouped, inOrder } from './in-order';
import type { Letter } from './letters';
import { loadBlock } from './load';
import { planBlock, type Plan } from './plan';
import { post } from './post';
import { settle, type Loaded } from './settle';
import { advanceShards } from './shards';
import type { MasterBlock } from './source/port';
import { cursorWrite, fenceOf, frontierFence, loadCursor, type Cursor } from './state';
import type { Turns } from './turns';

const GROUP_TRANSACTIONS = 2_000;
const LOOKS = 3;
const MISSING = 'the source does not have it';

/** A block that one server announces may not have come to its neighbour yet. */
async function fetchBlock(
  { source, retry }: TailDeps,
  seqno: number,
  signal: AbortSignal,
): Promise<MasterBlock> {
  try {
    for (let look = 1; look <= LOOKS; look++) {
      const block = await source.block(seqno, signal);
      if (block) return block;
      if (look < LOOKS) await sleep(retry, undefined, { signal });
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new Hole(seqno, messageOf(error), { cause: error });
  }
  throw new Hole(seqno, MISSING);
}

const cursorAt = ({ seqno, rootHash, shards }: MasterBlock): Cursor => ({
  seqno,
  rootHash,
  shards: advanceShards([], shards).tips,
});

/**
 * Where to go on: the stored cursor, after a look at whether the source still has that very block.
 * @throws WrongChain when it has another one in its place.
 */
async function resume(deps: TailDeps, tip: number, signal: AbortSignal): Promise<Cursor> {
  const { documents, network } = deps;
  // Whoever is shown the fence is shown all that was stored with it, also when its writer died in the middle.
  await documents.checkpoint(fenceOf(network));
  const stored = await loadCursor(documents, network);
  const block = await fetchBlock(deps, stored?.seqno ?? deps.startAfter ?? tip, signal);
  if (stored) {
    if (block.rootHash !== stored.rootHash)
      throw new WrongChain(
        `${network}: block ${stored.seqno} was ${stored.rootHash} and is now ${block.rootHash}: the source is another network or was rolled back; refusing to go on`,
      );
    return stored;
  }
  const cursor = cursorAt(block);
  await documents.commit({
    writes: [cursorWrite(network, cursor, tip)],
    checkpoint: frontierFence(network, null, cursor),
  });
  return cursor;
}

function* range(first: number, last: number): Generator<number> {
  for (let seqno = first; seqno <= last; seqno++) yield seqno;
}

async function* plans(
  deps: TailDeps,
  turns: Turns,
  from: Cursor,
  tip: number,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Plan> {
  let before = from;
  for await (const block of inOrder(range(from.seqno + 1, tip), deps.window, seqno =>
    fetchBlock(deps, seqno, signal),
  )) {
    const plan = await turns.take(async () => {
      progress.planned(block.seqno);
      return planBlock(deps.documents, deps.network, deps.scope, before, block);
    });
    before = plan.cursor;
    yield plan;
  }
}

async function load(deps: TailDeps, plan: Plan, signal: AbortSignal): Promise<Loaded> {
  try {
    const letters = await loadBlock(deps.source, deps.network, plan.block, plan.accounts, signal);
    return { ...plan, letters };
  } catch (error) {
    signal.throwIfAborted();
    throw new Hole(plan.block.seqno, messageOf(error), { cause: error });
  }
}

/**
 * Publishes blocks in order; only then do the heads and the cursor move, together. What comes before a block that
 * cannot be settled is still written.
 */
async function write(
  deps: TailDeps,
  before: Cursor,
  group: readonly Loaded[],
  tip: number,
  signal: AbortSignal,
): Promise<Cursor> {
  const accounts = group.flatMap(loaded => [...loaded.accounts.keys()]);
  const heads = await loadHeads(deps.documents, deps.network, accounts);
  const letters: Letter[] = [];
  let settled: Loaded | undefined;
  let failure: unknown;
  for (const loaded of group) {
    try {
      letters.push(...(await settle(deps, heads, loaded, signal)));
      settled = loaded;
    } catch (error) {
      failure = error;
      break;
    }
  }
  if (settled) {
    await post(deps.log, letters, deps.metrics);
    await deps.documents.commit({
      writes: [...heads.writes(), cursorWrite(deps.network, settled.cursor, tip)],
      checkpoint: frontierFence(deps.network, before, settled.cursor),
    });
  }
  if (failure) throw failure;
  return settled!.cursor;
}

/** Follows the chain from the stored cursor until the signal, or until something is in the way: that is thrown. */
export async function followChain(
  deps: TailDeps,
  turns: Turns,
  progress: Progress,
  signal: AbortSignal,
): Promise<never> {
  let tip = await deps.source.tip(signal);
  let cursor = await resume(deps, tip, signal);
  for (;;) {
    progress.tip(tip);
    await progress.frontier(cursor.seqno);
    const planned = plans(deps, turns, cursor, tip, progress, signal);
    const loaded = inOrder(planned, deps.window, plan => load(deps, plan, signal));
    for await (const group of grouped(loaded, GROUP_TRANSACTIONS, ({ letters }) => 1 + letters.size)) {
      cursor = await write(deps, cursor, group, tip, signal);
      await progress.frontier(cursor.seqno);
    }
    await deps.source.news(deps.poll, signal);
    signal.throwIfAborted();
    tip = await deps.source.tip(signal);
    if (tip < cursor.seqno) cursor = await resume(deps, tip, signal);
  }
}
