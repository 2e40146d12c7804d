import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { messageOf } from '../../contracts/text/error-message';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { sameTreeHead } from '../../contracts/ledger-tree/tree-head';
import { eventDigest, ledgerLine } from '../../contracts/ledger-tree/ledger-line';
import { settledWithin } from '../../contracts/retry/settled-within';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Checkpoints } from './checkpoints';
import { TreeFrontier } from './frontier';
import type { LedgerTreeReader } from './reader';
import { CorruptLedgerTree, LEDGER_TREE_POSITION } from './tiles';

export interface LedgerTreeBuilderDeps {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly documents: Pick<Documents, 'commit'>;
  readonly reader: Pick<LedgerTreeReader, 'frontier'>;
  readonly checkpoints: Checkpoints;
  readonly logger: Logger;
  readonly now: () => Date;
  /** A checkpoint is signed after this many events, or this many milliseconds after the last one. */
  readonly checkpointEvery: { readonly events: number; readonly milliseconds: number };
  /** Runs the builder while no other process does. */
  readonly runExclusively?: (
    run: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>;
}

export interface LedgerTreeBuilder {
  readonly done: Promise<void>;
  /** Message of the last error; null after the builder has recovered. */
  fault(): string | null;
}

/** Maximum events in one commit, and the wait for more: the last tile is then written once for all of them. */
const MAX_BATCH = 2_000;
const BATCH_WAIT_MS = 50;

const RETRY_MS = 1_000;
/** A corrupt tree does not repair itself. */
const CORRUPT_RETRY_MS = 60_000;

/** After this time without events of the ledger, the position after events of other categories is stored. */
const IDLE_MS = 1_000;

/**
 * Builds the ledger tree in the background: follows the events of the ledger, appends each to the hash chain and the
 * Merkle tree, and signs checkpoints. Every commit expects the one before it, so the slower of two builders is refused
 * and starts again from what is stored; a lease only saves the work. When the documents are lost, the tree is rebuilt
 * from the events and compared with every checkpoint signed before; a difference stops the builder.
 */
export function runLedgerTreeBuilder(deps: LedgerTreeBuilderDeps, signal: AbortSignal): LedgerTreeBuilder {
  let fault: string | null = null;
  const { runExclusively = (run, until) => run(until), logger } = deps;

  const run = async (until: AbortSignal): Promise<void> => {
    while (!until.aborted) {
      try {
        await build(deps, until, () => (fault = null));
      } catch (error) {
        if (until.aborted) return;
        if (!(error instanceof CheckpointMoved)) {
          fault = messageOf(error);
          logger.error({ err: error }, 'ledger tree builder failed, retrying');
        }
        const delay = error instanceof CorruptLedgerTree ? CORRUPT_RETRY_MS : RETRY_MS;
        await pause(delay, undefined, { signal: until }).catch(() => undefined);
      }
    }
    // The lease is lost: what another process builds may be well.
    if (!signal.aborted) fault = null;
  };

  return { done: runExclusively(run, signal).catch(() => undefined), fault: () => fault };
}

async function build(
  { store, documents, reader, checkpoints, now, checkpointEvery: every }: LedgerTreeBuilderDeps,
  signal: AbortSignal,
  onProgress: () => void,
) {
  const found = await reader.frontier();
  const frontier = new TreeFrontier(found?.stored ?? null);
  let stored = found?.position ?? null;
  const signedBefore = checkpointsAfter(checkpoints, frontier.size);
  let expected = await signedBefore.next();
  let latest = await checkpoints.latest();

  const append = (event: RecordedEvent): void => {
    frontier.append(eventDigest(ledgerLine(event)), event.position);
  };

  /** Every signed checkpoint has to match the events. */
  const compare = async (): Promise<void> => {
    while (!expected.done && expected.value.size === frontier.size) {
      if (!sameTreeHead(expected.value, frontier.head()))
        throw new CorruptLedgerTree(differs(expected.value));
      expected = await signedBefore.next();
    }
  };

  const commit = async (position: Position): Promise<void> => {
    const expect = stored === null ? null : { position: stored };
    await documents.commit({
      writes: frontier.takeChanges(),
      checkpoint: { name: LEDGER_TREE_POSITION, value: { position }, expect },
    });
    stored = position;
  };

  const signWhenDue = async (): Promise<void> => {
    const since = frontier.size - (latest?.size ?? 0);
    if (since <= 0) return;
    const age = latest ? now().getTime() - Date.parse(latest.at) : Infinity;
    if (since < every.events && age < every.milliseconds) return;
    latest = await checkpoints.sign(frontier.head(), now().toISOString());
  };

  const subscription = store.subscribe({
    after: stored ?? BEGINNING,
    categories: LEDGER_CATEGORIES,
    batchSize: MAX_BATCH,
    signal,
  });
  const batches = subscription[Symbol.asyncIterator]();
  let next = batches.next();
  let isThere = settledWithin(next);
  try {
    for (let seen = stored ?? BEGINNING; !signal.aborted;) {
      if (!(await isThere(IDLE_MS))) {
        if (stored !== seen && seen !== BEGINNING) await commit(seen);
        await signWhenDue();
        onProgress();
        continue;
      }
      const result = await next;
      if (result.done) return;
      const { events, position } = result.value;
      for (const event of events) {
        append(event);
        if (!expected.done) await compare();
      }
      seen = position;
      if (events.length > 0) {
        await commit(position);
        await signWhenDue();
        onProgress();
        if (events.length < MAX_BATCH / 2)
          await pause(BATCH_WAIT_MS, undefined, { signal }).catch(() => undefined);
      }
      next = batches.next();
      isThere = settledWithin(next);
    }
  } finally {
    await Promise.allSettled([batches.return?.(), signedBefore.return(undefined)]);
  }
}

async function* checkpointsAfter(
  checkpoints: Pick<Checkpoints, 'all'>,
  size: number,
): AsyncGenerator<Checkpoint, undefined> {
  for await (const checkpoint of checkpoints.all()) if (checkpoint.size > size) yield checkpoint;
  return undefined;
}

const differs = ({ size, position, at }: Checkpoint): string =>
  `the events do not match the checkpoint of ${at}: they differ at or before position ${position} (${size} events)`;
