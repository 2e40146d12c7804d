import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BEGINNING, type Position } from '../../contracts/position';
import type { Checkpoint } from '../../contracts/seal/checkpoint';
import { leafDigest, ledgerLine } from '../../contracts/seal/ledger-line';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Seal } from '../program/seal';
import { hashesOf } from '../../services/seal/tiles';
import { checkCheckpoint, nameOf, type Keys } from './evidence';
import { contradicts, Following, type Contradiction, type Signed } from './history';
import { Failed } from './verdict';

interface StoreToVerify {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly seal: Pick<Seal, 'reading' | 'checkpoints' | 'keys'>;
  /** Checkpoints that somebody kept elsewhere. */
  readonly held: readonly Checkpoint[];
  readonly signal: AbortSignal;
  readonly onProgress?: (events: number, total: number) => void;
}

export interface VerifiedStore {
  readonly events: number;
  readonly sealed: number;
  readonly checkpoints: number;
  readonly latest: Checkpoint | null;
}

/** A digest as it was sealed. */
interface SealedLeaf {
  readonly position: Position;
  readonly digest: Buffer;
}

/**
 * Works out chain and tree of the events in the store anew, and holds them against every digest that was sealed and
 * every checkpoint that was signed. Reads the ledger once.
 * @throws Failed; the reason of the signal
 */
export async function verifyStore({
  store,
  seal,
  held,
  signal,
  onProgress,
}: StoreToVerify): Promise<VerifiedStore> {
  const { reading, checkpoints } = seal;
  const keys: Keys = new Map(
    seal.keys.published().keys.map(({ kid, kty, crv, x }) => [kid, { kty, crv, x }]),
  );
  const sealedTo = await reading.sealedTo();
  const sealed = await reading.historyAt(sealedTo);
  const stored: Checkpoint[] = [];
  for await (const each of checkpoints.all()) stored.push(each);
  for (const each of [...stored, ...held]) checkCheckpoint(each, keys, null);

  const signed: Signed[] = [
    { what: 'what was sealed', history: sealed },
    ...[...stored, ...held].map(each => ({ what: nameOf(each), history: each })),
  ];
  const following = new Following<RecordedEvent>(signed, ({ position }) => position);
  const leaves = leavesOf(reading, sealedTo);
  let leaf = await leaves.next();
  for await (const page of store.readAll({ categories: LEDGER_CATEGORIES })) {
    signal.throwIfAborted();
    for (const event of page) {
      const digest = leafDigest(ledgerLine(event));
      if (!leaf.done) {
        compare(leaf.value, event.position, digest);
        leaf = await leaves.next();
      }
      following.add(digest, event);
    }
    onProgress?.(following.size, Math.max(sealed.size, following.size));
  }
  if (!leaf.done)
    throw new Failed('missing', 'the store ends before events that were sealed', {
      position: leaf.value.position,
    });
  const contradiction = following.end();
  if (contradiction) throw failureOf(contradiction, following.size);
  return {
    events: following.size,
    sealed: sealed.size,
    checkpoints: stored.length,
    latest: stored.at(-1) ?? null,
  };
}

function failureOf(contradiction: Contradiction, events: number): Failed {
  const { signed, agreed, missing } = contradiction;
  return missing
    ? new Failed('missing', contradicts(contradiction, events))
    : new Failed('broken', contradicts(contradiction, events), {
        between: [agreed?.history.position ?? BEGINNING, signed.history.position],
      });
}

function compare(leaf: SealedLeaf, position: Position, digest: Buffer): void {
  if (leaf.position === position && leaf.digest.equals(digest)) return;
  if (leaf.position < position)
    throw new Failed('broken', 'an event that was sealed is not there', { position: leaf.position });
  throw new Failed(
    'broken',
    leaf.position === position ? 'an event is not the one that was sealed' : 'an event was put in',
    { position },
  );
}

async function* leavesOf(
  reading: Pick<Seal['reading'], 'leafTiles'>,
  until: Position,
): AsyncGenerator<SealedLeaf, undefined> {
  for await (const tile of reading.leafTiles())
    for (const [n, digest] of hashesOf(tile).entries()) {
      const position = tile.positions[n]!;
      if (position > until) return undefined;
      yield { position, digest };
    }
  return undefined;
}
