import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../contracts/text/error-message';
import type { TonNetwork } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import { Gap } from '../gap';
import { cursorCheckpoint, cursorFence, cursorWrite, loadCursor, type Cursor } from './cursor';
import { advanceShards } from './shards';
import type { MasterBlock, TonSource } from './source';

interface SourceDeps {
  readonly source: TonSource;
  /** Milliseconds before a block that is not available yet is requested again. */
  readonly retryMs: number;
}

interface ResumeDeps extends SourceDeps {
  readonly network: TonNetwork;
  readonly documents: Documents;
  /** The masterchain block after which indexing starts when there is no cursor; default: the newest. */
  readonly startAfter?: number;
}

const MAX_ATTEMPTS = 3;

/**
 * A block that one server has announced may not be available from the next server yet, so it is requested a few times.
 * @throws Gap
 */
export async function fetchBlock(
  { source, retryMs }: SourceDeps,
  seqno: number,
  signal: AbortSignal,
): Promise<MasterBlock> {
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const block = await source.block(seqno, signal);
      if (block) return block;
      if (attempt < MAX_ATTEMPTS) await sleep(retryMs, undefined, { signal });
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new Gap(seqno, messageOf(error), { cause: error });
  }
  throw new Gap(seqno, 'the source does not have it');
}

/** @throws Gap when the source has another block in the place of an indexed one: it was rolled back, or the network was reset */
export function expectIndexed(network: TonNetwork, { seqno, rootHash }: MasterBlock, indexed: Cursor): void {
  if (rootHash === indexed.rootHash) return;
  throw new Gap(
    seqno,
    `the source has ${rootHash}, but ${indexed.rootHash} was indexed: the server was rolled back, or its network reset. Use a server that has the indexed block; after a reset run: tidemark networks verify --network ton:${network} --fix`,
  );
}

/** The cursor of a network that is followed from a block on. */
export function cursorAt({ seqno, rootHash, shards }: MasterBlock): Cursor {
  return { seqno, rootHash, shards: advanceShards([], shards).tips };
}

/**
 * The cursor to continue from: the stored one, after verifying that the source has its block; or a new one.
 * @throws Gap, also when the source has another block in its place
 */
export async function resumeCursor(deps: ResumeDeps, tip: number, signal: AbortSignal): Promise<Cursor> {
  const { documents, network } = deps;
  // Reading the checkpoint first recovers a commit that was interrupted.
  await documents.checkpoint(cursorCheckpoint(network));
  const stored = await loadCursor(documents, network);
  const block = await fetchBlock(deps, stored?.seqno ?? deps.startAfter ?? tip, signal);
  if (stored) {
    expectIndexed(network, block, stored);
    return stored;
  }
  const cursor = cursorAt(block);
  await documents.commit({
    writes: [cursorWrite(network, cursor, tip)],
    checkpoint: cursorFence(network, null, cursor),
  });
  return cursor;
}
