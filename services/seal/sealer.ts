import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Checkpoint } from '../../contracts/seal/checkpoint';
import { sameHistory } from '../../contracts/seal/growing-seal';
import { leafDigest, ledgerLine } from '../../contracts/seal/ledger-line';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Checkpoints } from './checkpoints';
import { Edge } from './edge';
import { BrokenSeal, type SealReading } from './reading';
import { SEALED } from './tiles';

export interface SealerDeps {
  readonly store: Pick<EventStore, 'subscribe'>;
  readonly documents: Pick<Documents, 'commit'>;
  readonly reading: Pick<SealReading, 'edge'>;
  readonly checkpoints: Checkpoints;
  readonly logger: Logger;
  readonly now: () => Date;
  /** A checkpoint is signed after so many events, or when events have waited for one for so many milliseconds. */
  readonly every: { readonly events: number; readonly milliseconds: number };
  /** Runs the sealer for as long as no other process does. */
  readonly alone?: (run: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>;
}

export interface Sealer {
  readonly done: Promise<void>;
  /** What is wrong; null when all is well. */
  fault(): string | null;
}

/** Events in one commit at most, and how long one waits for more: an edge tile is written once for all of them. */
const BATCH = 2_000;
const GATHER = 50;

/** Milliseconds before another try after the engines failed. */
const RETRY = 1_000;

/** Milliseconds after which it is noted that events of other categories were passed over. */
const IDLE = 1_000;

/**
 * Seals the ledger, off the way of the commands: follows its events, adds each to the chain and the tree, and signs
 * checkpoints. Every commit expects the one before it, so of two sealers the slower is refused and starts anew from
 * what is there; a lease only spares its work. When the documents are lost everything is made again from the events,
 * and held against every checkpoint that was signed before: one that differs stops the sealing.
 */
export function runSealer(deps: SealerDeps, signal: AbortSignal): Sealer {
  let fault: string | null = null;
  const { alone = (run, until) => run(until), logger } = deps;

  const run = async (until: AbortSignal): Promise<void> => {
    while (!until.aborted) {
      try {
        await seal(deps, until);
        fault = null;
      } catch (error) {
        if (until.aborted) return;
        if (!(error instanceof CheckpointMoved)) {
          fault = error instanceof Error ? error.message : String(error);
          logger.error({ err: error }, 'the ledger is not being sealed');
        }
        await pause(error instanceof BrokenSeal ? 60 * RETRY : RETRY, undefined, { signal: until }).catch(
          () => undefined,
        );
      }
    }
  };

  return { done: alone(run, signal).catch(() => undefined), fault: () => fault };
}

async function seal({ store, documents, reading, checkpoints, now, every }: SealerDeps, signal: AbortSignal) {
  const found = await reading.edge();
  const edge = new Edge(found?.stored ?? null);
  let stored = found?.position ?? null;
  const signedBefore = checkpointsBeyond(checkpoints, edge.size);
  let expected = await signedBefore.next();
  let latest = await checkpoints.latest();

  const take = (event: RecordedEvent): void => {
    edge.add(leafDigest(ledgerLine(event)), event.position);
  };

  /** What was signed has to be what the events give now. */
  const compare = async (): Promise<void> => {
    while (!expected.done && expected.value.size === edge.size) {
      if (!sameHistory(expected.value, edge.now())) throw new BrokenSeal(differs(expected.value));
      expected = await signedBefore.next();
    }
  };

  const commit = async (position: Position): Promise<void> => {
    const expect = stored === null ? null : { position: stored };
    await documents.commit({
      writes: edge.changes(),
      checkpoint: { name: SEALED, value: { position }, expect },
    });
    stored = position;
  };

  const signWhenDue = async (): Promise<void> => {
    const since = edge.size - (latest?.size ?? 0);
    if (since <= 0) return;
    const age = latest ? now().getTime() - Date.parse(latest.at) : Infinity;
    if (since < every.events && age < every.milliseconds) return;
    latest = await checkpoints.sign(edge.now(), now().toISOString());
  };

  const subscription = store.subscribe({
    after: stored ?? BEGINNING,
    categories: LEDGER_CATEGORIES,
    batchSize: BATCH,
    signal,
  });
  const batches = subscription[Symbol.asyncIterator]();
  let next = batches.next();
  try {
    for (let seen = stored ?? BEGINNING; !signal.aborted;) {
      const result = await Promise.race([next, pause(IDLE, undefined, { ref: false })]);
      if (!result) {
        if (stored !== seen && seen !== BEGINNING) await commit(seen);
        await signWhenDue();
        continue;
      }
      if (result.done) return;
      const { events, position } = result.value;
      for (const event of events) {
        take(event);
        if (!expected.done) await compare();
      }
      seen = position;
      if (events.length > 0) {
        await commit(position);
        await signWhenDue();
        if (events.length < BATCH / 2) await pause(GATHER, undefined, { signal }).catch(() => undefined);
      }
      next = batches.next();
    }
  } finally {
    await Promise.allSettled([batches.return?.(), signedBefore.return(undefined)]);
  }
}

async function* checkpointsBeyond(
  checkpoints: Pick<Checkpoints, 'all'>,
  size: number,
): AsyncGenerator<Checkpoint, undefined> {
  for await (const checkpoint of checkpoints.all()) if (checkpoint.size > size) yield checkpoint;
  return undefined;
}

const differs = ({ size, position, at }: Checkpoint): string =>
  `the events are not those that were signed at ${at}: they differ at or before position ${position} (${size} events)`;
