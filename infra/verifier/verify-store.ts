import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { eventDigest, ledgerLine } from '../../contracts/ledger-tree/ledger-line';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { BEGINNING, type Position } from '../../contracts/position';
import { hashesOf } from '../../services/ledger-tree/tiles';
import type { Checkpoints } from '../../services/ledger-tree/checkpoints';
import type { LedgerKeys } from '../../services/ledger-tree/keys';
import type { LedgerTreeReader } from '../../services/ledger-tree/reader';
import { checkCheckpoint, nameOf, type Keys } from './evidence';
import { VerificationFailed } from './outcome';
import { describeMismatch, SignedHeadChecker, type Mismatch, type SignedHead } from './signed-heads';

interface StoreToVerify {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly tree: {
    readonly reader: LedgerTreeReader;
    readonly checkpoints: Checkpoints;
    readonly keys: LedgerKeys;
  };
  /** Checkpoints held outside the store. */
  readonly checkpoints: readonly Checkpoint[];
  readonly signal: AbortSignal;
  readonly onProgress?: (events: number, total: number) => void;
}

export interface VerifiedStore {
  readonly events: number;
  /** How many of them are in the ledger tree. */
  readonly inTree: number;
  /** Number of checkpoints in the store. */
  readonly checkpoints: number;
  readonly latest: Checkpoint | null;
}

/** A leaf of the stored ledger tree. */
interface Leaf {
  readonly position: Position;
  readonly digest: Buffer;
}

/**
 * Recomputes hash chain and Merkle tree from the events in the store, and compares them with every leaf of the stored
 * ledger tree and every signed checkpoint. Reads the ledger once.
 * @throws VerificationFailed; the reason of the signal
 */
export async function verifyStore({
  store,
  tree,
  checkpoints: held,
  signal,
  onProgress,
}: StoreToVerify): Promise<VerifiedStore> {
  const { reader, checkpoints } = tree;
  const keys: Keys = new Map(
    tree.keys.published().keys.map(({ kid, kty, crv, x }) => [kid, { kty, crv, x }]),
  );
  const includedUpTo = await reader.includedUpTo();
  const treeHead = await reader.headAt(includedUpTo);
  const stored: Checkpoint[] = [];
  for await (const each of checkpoints.all()) stored.push(each);
  for (const each of [...stored, ...held]) checkCheckpoint(each, keys, null);

  const signedHeads: SignedHead[] = [
    { name: 'the ledger tree', head: treeHead },
    ...[...stored, ...held].map(each => ({ name: nameOf(each), head: each })),
  ];
  const checker = new SignedHeadChecker<RecordedEvent>(signedHeads, ({ position }) => position);
  const leaves = leavesOf(reader, includedUpTo);
  let leaf = await leaves.next();
  for await (const page of store.readAll({ categories: LEDGER_CATEGORIES })) {
    signal.throwIfAborted();
    for (const event of page) {
      const digest = eventDigest(ledgerLine(event));
      if (!leaf.done) {
        compare(leaf.value, event.position, digest);
        leaf = await leaves.next();
      } else if (event.position <= includedUpTo) throw notRead(event.position);
      checker.add(digest, event);
    }
    onProgress?.(checker.size, Math.max(treeHead.size, checker.size));
  }
  if (!leaf.done)
    throw new VerificationFailed('truncated', 'the store ends before events of the ledger tree', {
      position: leaf.value.position,
    });
  const mismatch = checker.end();
  if (mismatch) throw failureOf(mismatch, checker.size);
  return {
    events: checker.size,
    inTree: treeHead.size,
    checkpoints: stored.length,
    latest: stored.at(-1) ?? null,
  };
}

function failureOf(mismatch: Mismatch, events: number): VerificationFailed {
  const { signed, lastMatch, missing } = mismatch;
  return missing
    ? new VerificationFailed('truncated', describeMismatch(mismatch, events))
    : new VerificationFailed('altered', describeMismatch(mismatch, events), {
        between: [lastMatch?.head.position ?? BEGINNING, signed.head.position],
      });
}

function compare(leaf: Leaf, position: Position, digest: Buffer): void {
  if (leaf.position === position && leaf.digest.equals(digest)) return;
  if (leaf.position < position)
    throw new VerificationFailed('altered', 'an event of the ledger tree is missing', {
      position: leaf.position,
    });
  if (leaf.position > position) throw notRead(position);
  throw new VerificationFailed('altered', 'an event was changed', { position });
}

/** Positions are only given to new events: this one was there, and passed over, unless somebody has inserted it since. */
function notRead(position: Position): VerificationFailed {
  return new VerificationFailed(
    'altered',
    'an event was not read: the store has it, and the ledger tree, which includes later ones, does not. Projections may lack it too: fold them again with `tidemark rebuild --all`',
    { position },
  );
}

async function* leavesOf(
  reader: Pick<LedgerTreeReader, 'leafTiles'>,
  until: Position,
): AsyncGenerator<Leaf, undefined> {
  for await (const tile of reader.leafTiles())
    for (const [n, digest] of hashesOf(tile).entries()) {
      const position = tile.positions[n]!;
      if (position > until) return undefined;
      yield { position, digest };
    }
  return undefined;
}
