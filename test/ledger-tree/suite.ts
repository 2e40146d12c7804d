import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import pino from 'pino';
import { BEGINNING } from '../../contracts/position';
import { checkpointStatement } from '../../contracts/ledger-tree/checkpoint';
import { LedgerTree, type TreeHead } from '../../contracts/ledger-tree/tree-head';
import { verifySignature } from '../../contracts/ledger-tree/keys';
import { readSubtreeRoots, verifiedSubtreeRoots } from '../../contracts/ledger-tree/subtree-roots';
import { eventDigest, ledgerLine } from '../../contracts/ledger-tree/ledger-line';
import { auditPathOf, rootFromAuditPath } from '../../contracts/ledger-tree/merkle-tree';
import { bodyDigest, proofStatement } from '../../contracts/ledger-tree/report-proof';
import { sha256 } from '../../contracts/encoding/sha256';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createCheckpoints } from '../../services/ledger-tree/checkpoints';
import { TreeFrontier } from '../../services/ledger-tree/frontier';
import { makeLedgerKeys, openLedgerKeys } from '../../services/ledger-tree/keys';
import { LedgerTreeBehind } from '../../services/ledger-tree/prover';
import { createProver } from '../../services/ledger-tree/prover';
import { createLedgerTreeReader } from '../../services/ledger-tree/reader';
import { runLedgerTreeBuilder } from '../../services/ledger-tree/builder';
import {
  CorruptLedgerTree,
  LEDGER_TREE_COLLECTIONS,
  LEDGER_TREE_POSITION,
} from '../../services/ledger-tree/tiles';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { runs } from '../random';

const silent = pino({ level: 'silent' });

/** Opens documents of an adapter. */
export interface DocumentsPlace {
  /** Empty documents. */
  open(): Promise<Documents>;
  remove(): Promise<void>;
}

let place: DocumentsPlace;
let folder: string;
let store: EventStore;
let documents: Documents;
let keysFile: string;

const fee = (n: number) => ({
  id: randomUUID(),
  type: 'FeeRecorded',
  data: { id: `f${n}`, fee_amount: '1.00' },
  metadata: { v: 1 },
});

async function record(count: number, start = 0): Promise<void> {
  for (let n = start; n < start + count; n++) {
    await store.append(`fee-f${n}`, 'no_stream', [fee(n)]);
    if (n % 10 === 0) await store.append(`watch-a${n}`, 'no_stream', [fee(n)]);
  }
}

/** The tree head after each event of the ledger. */
async function treeHeads(): Promise<TreeHead[]> {
  const tree = new LedgerTree();
  const all: TreeHead[] = [];
  for await (const page of store.readAll())
    for (const event of page.filter(({ stream }) => stream.startsWith('fee-'))) {
      tree.append(eventDigest(ledgerLine(event)), event.position);
      all.push(tree.head());
    }
  return all;
}

const checkpointsOf = (file = keysFile) =>
  createCheckpoints({ store, instanceId: 'local', keys: openLedgerKeys(file) });

function start(options: { readonly events?: number; readonly store?: EventStore } = {}) {
  const stopping = new AbortController();
  const builder = runLedgerTreeBuilder(
    {
      store: options.store ?? store,
      documents,
      reader: createLedgerTreeReader(documents),
      checkpoints: checkpointsOf(),
      logger: silent,
      now: () => new Date(),
      checkpointEvery: { events: options.events ?? 100, milliseconds: 60_000 },
    },
    stopping.signal,
  );
  return {
    builder,
    async stop() {
      stopping.abort();
      await builder.done;
    },
  };
}

const untilIncluded = (position: number): Promise<boolean> =>
  until(async () => (await createLedgerTreeReader(documents).includedUpTo()) >= position);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A store that returns another amount for the event at the position. */
function alteredAt(real: EventStore, position: number): EventStore {
  const alter = (event: RecordedEvent): RecordedEvent =>
    event.position === position ? { ...event, data: { ...event.data, fee_amount: '9.00' } } : event;
  return {
    ...real,
    async *subscribe(options) {
      for await (const batch of real.subscribe(options)) yield { ...batch, events: batch.events.map(alter) };
    },
  };
}

/** The tests of the ledger tree on any documents adapter; `openPlace` opens one for each test. */
export function describeLedgerTree(
  adapter: string,
  openPlace: () => DocumentsPlace | Promise<DocumentsPlace>,
): void {
  describe(`on documents in ${adapter}`, () => {
    beforeEach(async () => {
      place = await openPlace();
      folder = temporaryFolder();
      store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
      documents = await place.open();
      keysFile = join(folder, 'keys', 'ledger.json');
      await makeLedgerKeys(keysFile);
    });

    afterEach(async () => {
      await Promise.all([store.close(), documents.close()]);
      await place.remove();
    });

    describe('the builder', () => {
      it('includes all events of the ledger and no others, and knows the tree head at every position', async () => {
        await record(700);
        const { stop } = start();
        await untilIncluded(await store.head());
        await stop();
        const reader = createLedgerTreeReader(documents);
        const heads = await treeHeads();
        expect(heads).toHaveLength(700);
        for (const at of [0, 1, 254, 255, 256, 257, 511, 512, 699])
          expect(await reader.headAt(heads[at]!.position)).toEqual(heads[at]);
        expect(await reader.headAt(BEGINNING)).toEqual(new LedgerTree().head());
        // At an event of another category: the head before it.
        expect(await reader.headAt(heads[0]!.position + 1)).toEqual(heads[0]);
        expect(await reader.leafIndexAt(heads[300]!.position)).toBe(300);
        expect(await reader.leafIndexAt(heads[0]!.position + 1)).toBeNull();
      });

      it('continues where the last one stopped', async () => {
        await record(300);
        for (let round = 1; round <= 3; round++) {
          const { stop } = start();
          await untilIncluded(await store.head());
          await stop();
          await record(217, 300 + 217 * (round - 1));
        }
        const last = start();
        await untilIncluded(await store.head());
        await last.stop();
        expect(await createLedgerTreeReader(documents).headAt(await store.head())).toEqual(
          (await treeHeads()).at(-1),
        );
      });

      it('is a single writer: two builders at once lose no event and include none twice', async () => {
        const [one, other] = [start(), start()];
        await record(400);
        await untilIncluded(await store.head());
        await one.stop();
        await record(100, 400);
        await untilIncluded(await store.head());
        await other.stop();
        expect(await createLedgerTreeReader(documents).headAt(await store.head())).toEqual(
          (await treeHeads()).at(-1),
        );
      });

      it('signs correct checkpoints, durable before they are returned', async () => {
        await record(350);
        const { stop } = start({ events: 100 });
        await untilIncluded(await store.head());
        await until(async () => (await checkpointsOf().latest()) !== null);
        await stop();
        const heads = await treeHeads();
        const { key } = openLedgerKeys(keysFile).signer();
        const signed = await all(checkpointsOf().all());
        expect(signed.length).toBeGreaterThan(0);
        for (const { signature, keyId, at, migratedFrom, version, instance, ...head } of signed) {
          expect(head).toEqual(heads[head.size - 1]);
          const unsigned = { ...head, keyId, at, migratedFrom, version, instance };
          expect(verifySignature(checkpointStatement(unsigned), signature, key)).toBe(true);
        }
      });

      it('rebuilds the tree from the events when the documents are lost, and matches the signed checkpoints', async () => {
        await record(300);
        const first = start({ events: 50 });
        await untilIncluded(await store.head());
        await until(async () => (await checkpointsOf().latest()) !== null);
        await first.stop();
        const before = await createLedgerTreeReader(documents).headAt(await store.head());
        await documents.close();
        documents = await place.open();
        const second = start({ events: 50 });
        await untilIncluded(await store.head());
        await second.stop();
        expect(second.builder.fault()).toBeNull();
        expect(await createLedgerTreeReader(documents).headAt(await store.head())).toEqual(before);
      });

      it('reports no fault any more once the store answers again', async () => {
        await record(10);
        let isDown = true;
        const failing: EventStore = {
          ...store,
          subscribe(options) {
            if (isDown) throw new Error('the store does not answer');
            return store.subscribe(options);
          },
        };
        const { builder, stop } = start({ store: failing });
        await until(() => builder.fault() === 'the store does not answer');
        isDown = false;
        await until(() => builder.fault() === null);
        await untilIncluded(await store.head());
        await stop();
      });

      it('stops at events that do not match the signed checkpoints', async () => {
        await record(300);
        const first = start({ events: 50 });
        await untilIncluded(await store.head());
        await until(async () => (await checkpointsOf().latest()) !== null);
        await first.stop();
        await documents.close();
        documents = await place.open();
        const altered = alteredAt(store, 3);
        const second = start({ store: altered });
        await until(() => second.builder.fault() !== null);
        await second.stop();
        expect(second.builder.fault()).toMatch(/do not match the checkpoint/);
        expect(await createLedgerTreeReader(documents).includedUpTo()).toBe(BEGINNING);
      });
    });

    describe('the frontier of the tree', () => {
      const digests = Array.from({ length: 1_300 }, (_, n) => sha256(`event ${n}`));

      it('has the same head after any number of stores and loads', () =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 6 }), async cuts => {
            const apart = await place.open();
            try {
              await apart.declare(LEDGER_TREE_COLLECTIONS);
              const whole = new LedgerTree();
              let at = 0;
              let stored: number | null = null;
              for (const cut of cuts) {
                const frontier = new TreeFrontier(
                  (await createLedgerTreeReader(apart).frontier())?.stored ?? null,
                );
                for (const digest of digests.slice(at, at + cut)) {
                  frontier.append(digest, 3 * whole.size);
                  whole.append(digest, 3 * whole.size);
                }
                at += cut;
                expect(frontier.head()).toEqual(whole.head());
                const position = 3 * whole.size;
                const expect_ = stored === null ? null : { position: stored };
                await apart.commit({
                  writes: frontier.takeChanges(),
                  checkpoint: { name: LEDGER_TREE_POSITION, value: { position }, expect: expect_ },
                });
                stored = position;
                expect(await createLedgerTreeReader(apart).headAt(position)).toEqual(whole.head());
              }
            } finally {
              await apart.close();
            }
          }),
          runs(4),
        ));

      it('gives every leaf an audit path to the root, and subtree roots that yield it', async () => {
        await documents.declare(LEDGER_TREE_COLLECTIONS);
        const frontier = new TreeFrontier(null);
        digests.forEach((digest, position) => frontier.append(digest, position));
        await documents.commit({
          writes: frontier.takeChanges(),
          checkpoint: { name: LEDGER_TREE_POSITION, value: { position: 1_299 }, expect: null },
        });
        const { subtreeRoot: subtree } = createLedgerTreeReader(documents);
        const { root } = frontier.head();
        for (const index of [0, 255, 256, 700, 1_299]) {
          const path = await auditPathOf(index, 1_300, subtree);
          expect(rootFromAuditPath(index, 1_300, digests[index]!, path)?.toString('hex')).toBe(root);
        }
        const subtreeRoots = await readSubtreeRoots(1_300, subtree);
        expect(verifiedSubtreeRoots(subtreeRoots, 1_300, root)).toHaveLength(162);
        expect(verifiedSubtreeRoots(subtreeRoots, 1_301, root)).toBeNull();
        expect(
          verifiedSubtreeRoots({ ...subtreeRoots, roots: subtreeRoots.remainder }, 1_300, root),
        ).toBeNull();
        await expect(subtree(9, 2)).rejects.toThrow(CorruptLedgerTree);
      });

      it('refuses the second of two commits with the same expected position', async () => {
        await documents.declare(LEDGER_TREE_COLLECTIONS);
        const commit = () =>
          documents.commit({
            writes: [],
            checkpoint: { name: LEDGER_TREE_POSITION, value: { position: 1 }, expect: null },
          });
        await commit();
        await expect(commit()).rejects.toThrow(CheckpointMoved);
      });
    });

    describe('proofs', () => {
      const prover = (timeoutMs = 60_000) =>
        createProver({
          reader: createLedgerTreeReader(documents),
          checkpoints: checkpointsOf(),
          keys: openLedgerKeys(keysFile),
          instanceId: 'local',
          timeZone: 'UTC',
          projections: { fees: 1 },
          timeoutMs,
        });

      it('bind an answer to a tree head', async () => {
        await record(20);
        const { stop } = start();
        const position = await store.head();
        const body = { summary: [], byMerchant: [] };
        const query = { action: 'get_revenue' };
        const proof = await prover().prove({ query, body, position });
        await stop();
        const { signature, key, checkpoint: _, subtreeRoots, ...claims } = proof;
        const { size, head, root } = (await treeHeads()).at(-1)!;
        expect(claims).toMatchObject({ size, head, root, query, bodyDigest: bodyDigest(body) });
        expect(verifySignature(proofStatement(claims), signature, key)).toBe(true);
        expect(verifySignature(proofStatement({ ...claims, query: { action: 'x' } }), signature, key)).toBe(
          false,
        );
        expect(verifiedSubtreeRoots(subtreeRoots, size, root)).not.toBeNull();
      });

      it('are not issued before the tree includes the position', async () => {
        await record(1);
        await expect(
          prover(100).prove({ query: {}, body: {}, position: await store.head() }),
        ).rejects.toThrow(LedgerTreeBehind);
      });

      it('cover no personal text, so that they stay valid after its erasure', () => {
        const invoice = (reason: string | null) => ({
          invoice: { voidReason: reason, history: [{ reason }] },
        });
        expect(bodyDigest(invoice('a name'))).toBe(bodyDigest(invoice(null)));
        expect(bodyDigest({ a: 1 })).not.toBe(bodyDigest({ a: 2 }));
      });
    });
  });
}
