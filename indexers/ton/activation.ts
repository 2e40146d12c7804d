import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { WATCH_CATEGORY } from '../../contracts/events/watch';
import type { TonNetwork } from '../../contracts/network';
import { BEGINNING } from '../../contracts/position';
import {
  CheckpointMoved,
  type Checkpoint,
  type Documents,
  type Write,
} from '../../contracts/ports/documents';
import type { EventBatch, EventStore } from '../../contracts/ports/event-store';
import { messageOf } from './errors';
import { loadHeads } from './heads';
import { inOrder } from './in-order';
import type { TonSource } from './source/port';
import {
  ACTIVATIONS,
  activationWrite,
  headId,
  headWrite,
  NO_TRANSACTION,
  type ActivationDocument,
} from './state';
import type { Turns } from './turns';
import { watchedTonAccount } from './watched';

export interface ActivationDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly logger: Logger;
  /** Milliseconds before a failed activation is tried again. */
  readonly retry: number;
  /** The newest block that the tail has planned; null before it knows where it begins. */
  planned(): number | null;
}

const WINDOW = 16;

const checkpointName = (network: TonNetwork): string => `ton-tail-watch-${network}`;

async function activated(
  documents: Documents,
  network: TonNetwork,
  accounts: readonly string[],
): Promise<string[]> {
  const ids = accounts.map(account => headId(network, account));
  const stored = await documents.getMany<ActivationDocument>(ACTIVATIONS, ids);
  return [...stored.values()].map(({ account }) => account);
}

async function activate(
  deps: ActivationDeps,
  { events, position }: EventBatch,
  expect: Checkpoint | null,
  signal: AbortSignal,
): Promise<Checkpoint> {
  const { network, documents, source } = deps;
  const accounts = new Set(
    events
      .map(watchedTonAccount)
      .filter(watched => watched?.network === network)
      .map(watched => watched!.address),
  );
  for (const known of await activated(documents, network, [...accounts])) accounts.delete(known);
  const writes: Write[] = [];
  if (accounts.size > 0) {
    const planned = deps.planned();
    if (planned === null) throw new Error('the tail has not begun');
    const tip = await source.tip(signal);
    if (tip < planned) throw new Error(`the source is at block ${tip}, behind ${planned}`);
    const heads = await loadHeads(documents, network, [...accounts]);
    const begin = async (account: string): Promise<Write[]> => {
      const head = heads.get(account);
      if (head) return [activationWrite(network, account, head)];
      const last = (await source.last(account, tip, signal)) ?? NO_TRANSACTION;
      return [activationWrite(network, account, last), headWrite(network, account, last)];
    };
    for await (const written of inOrder(accounts, WINDOW, begin)) writes.push(...written);
  }
  const value: Checkpoint = { position };
  await documents.commit({ writes, checkpoint: { name: checkpointName(network), value, expect } });
  return value;
}

/**
 * Makes the tail follow accounts as they become watched. Between two plans of the tail, so that each block either
 * knows an account or not; its head is read at a block that is not before any planned one. Hence what is not
 * newer than the head belongs to back-fill, what is newer to the tail, and nothing falls between.
 * @throws CheckpointMoved when another process follows the network
 */
export async function followWatched(deps: ActivationDeps, turns: Turns, signal: AbortSignal): Promise<void> {
  const { store, documents, network, logger } = deps;
  let stored = await documents.checkpoint(checkpointName(network));
  const after = stored && 'position' in stored ? stored.position : BEGINNING;
  for await (const batch of store.subscribe({
    after,
    categories: [WATCH_CATEGORY],
    batchSize: 200,
    signal,
  })) {
    for (;;) {
      try {
        stored = await turns.take(() => activate(deps, batch, stored, signal));
        break;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof CheckpointMoved) throw error;
        logger.debug({ network, reason: messageOf(error) }, 'newly watched accounts are not followed yet');
        await sleep(deps.retry, undefined, { signal });
      }
    }
  }
}
