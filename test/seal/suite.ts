import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pino from 'pino';
import { BEGINNING } from '../../contracts/position';
import { checkpointStatement } from '../../contracts/seal/checkpoint';
import { GrowingSeal, type History } from '../../contracts/seal/growing-seal';
import { isSigned } from '../../contracts/seal/keys';
import { ladderOf, rungsOf } from '../../contracts/seal/ladder';
import { leafDigest, ledgerLine } from '../../contracts/seal/ledger-line';
import { auditPath, rootByPath } from '../../contracts/seal/merkle';
import { bodyDigest, proofStatement } from '../../contracts/seal/proof';
import { sha256 } from '../../contracts/seal/sha256';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createCheckpoints } from '../../services/seal/checkpoints';
import { Edge } from '../../services/seal/edge';
import { makeLedgerKeys, openLedgerKeys } from '../../services/seal/keys';
import { NotSealed } from '../../services/prover';
import { createProver } from '../../services/seal/prove';
import { BrokenSeal, readSeal } from '../../services/seal/reading';
import { runSealer } from '../../services/seal/sealer';
import { SEAL_COLLECTIONS, SEALED } from '../../services/seal/tiles';
import { until } from '../until';

const silent = pino({ level: 'silent' });

/** Documents of an adapter. */
export interface DocumentsPlace {
  /** Empty ones. */
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

/** What the ledger comes to, read from its beginning: after each of its events. */
async function histories(): Promise<History[]> {
  const seal = new GrowingSeal();
  const all: History[] = [];
  for await (const page of store.readAll())
    for (const event of page.filter(({ stream }) => stream.startsWith('fee-'))) {
      seal.add(leafDigest(ledgerLine(event)), event.position);
      all.push(seal.now());
    }
  return all;
}

const checkpointsOf = (file = keysFile) =>
  createCheckpoints({ store, instanceId: 'local', keys: openLedgerKeys(file) });

function start(options: { readonly events?: number; readonly store?: EventStore } = {}) {
  const stopping = new AbortController();
  const sealer = runSealer(
    {
      store: options.store ?? store,
      documents,
      reading: readSeal(documents),
      checkpoints: checkpointsOf(),
      logger: silent,
      now: () => new Date(),
      every: { events: options.events ?? 100, milliseconds: 60_000 },
    },
    stopping.signal,
  );
  return {
    sealer,
    async stop() {
      stopping.abort();
      await sealer.done;
    },
  };
}

const sealedTo = async (position: number): Promise<void> =>
  until(async () => (await readSeal(documents).sealedTo()) >= position);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A store that tells another amount for the event at the position. */
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

/** What is asked of the seal on any documents adapter: `openPlace` makes one for each test. */
export function describeSeal(
  adapter: string,
  openPlace: () => DocumentsPlace | Promise<DocumentsPlace>,
): void {
  describe(`on documents in ${adapter}`, () => {
    beforeEach(async () => {
      place = await openPlace();
      folder = mkdtempSync(join(tmpdir(), 'tidemark-seal-'));
      store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
      documents = await place.open();
      keysFile = join(folder, 'keys', 'ledger.json');
      await makeLedgerKeys(keysFile);
    });

    afterEach(async () => {
      await Promise.all([store.close(), documents.close()]);
      await place.remove();
      rmSync(folder, { recursive: true });
    });

    describe('the sealer', () => {
      it('seals the ledger and nothing else, and tells what it came to at every place', async () => {
        await record(700);
        const { stop } = start();
        await sealedTo(await store.head());
        await stop();
        const reading = readSeal(documents);
        const told = await histories();
        expect(told).toHaveLength(700);
        for (const at of [0, 1, 254, 255, 256, 257, 511, 512, 699])
          expect(await reading.historyAt(told[at]!.position)).toEqual(told[at]);
        expect(await reading.historyAt(BEGINNING)).toEqual(new GrowingSeal().now());
        // The position of an event of another category: what came before it.
        expect(await reading.historyAt(told[0]!.position + 1)).toEqual(told[0]);
        expect(await reading.leafAt(told[300]!.position)).toBe(300);
        expect(await reading.leafAt(told[0]!.position + 1)).toBeNull();
      });

      it('goes on where it was, whoever goes on', async () => {
        await record(300);
        for (let round = 1; round <= 3; round++) {
          const { stop } = start();
          await sealedTo(await store.head());
          await stop();
          await record(217, 300 + 217 * (round - 1));
        }
        const last = start();
        await sealedTo(await store.head());
        await last.stop();
        expect(await readSeal(documents).historyAt(await store.head())).toEqual((await histories()).at(-1));
      });

      it('is one writer: of two, neither loses or seals anything twice', async () => {
        const [one, other] = [start(), start()];
        await record(400);
        await sealedTo(await store.head());
        await one.stop();
        await record(100, 400);
        await sealedTo(await store.head());
        await other.stop();
        expect(await readSeal(documents).historyAt(await store.head())).toEqual((await histories()).at(-1));
      });

      it('signs checkpoints that are true, and durable before they are told', async () => {
        await record(350);
        const { stop } = start({ events: 100 });
        await sealedTo(await store.head());
        await until(async () => (await checkpointsOf().latest()) !== null);
        await stop();
        const told = await histories();
        const { key } = openLedgerKeys(keysFile).signer();
        const signed = await all(checkpointsOf().all());
        expect(signed.length).toBeGreaterThan(0);
        for (const { signature, keyId, at, moved, version, instance, ...history } of signed) {
          expect(history).toEqual(told[history.size - 1]);
          const said = { ...history, keyId, at, moved, version, instance };
          expect(isSigned(checkpointStatement(said), signature, key)).toBe(true);
        }
      });

      it('makes everything again from the events when the documents are lost, and finds what was signed', async () => {
        await record(300);
        const first = start({ events: 50 });
        await sealedTo(await store.head());
        await until(async () => (await checkpointsOf().latest()) !== null);
        await first.stop();
        const before = await readSeal(documents).historyAt(await store.head());
        await documents.close();
        documents = await place.open();
        const second = start({ events: 50 });
        await sealedTo(await store.head());
        await second.stop();
        expect(second.sealer.fault()).toBeNull();
        expect(await readSeal(documents).historyAt(await store.head())).toEqual(before);
      });

      it('stops at events that are not those which were signed', async () => {
        await record(300);
        const first = start({ events: 50 });
        await sealedTo(await store.head());
        await until(async () => (await checkpointsOf().latest()) !== null);
        await first.stop();
        await documents.close();
        documents = await place.open();
        const altered = alteredAt(store, 3);
        const second = start({ store: altered });
        await until(() => second.sealer.fault() !== null);
        await second.stop();
        expect(second.sealer.fault()).toMatch(/not those that were signed/);
        expect(await readSeal(documents).sealedTo()).toBe(BEGINNING);
      });
    });

    describe('the edge of a seal', () => {
      const digests = Array.from({ length: 1_300 }, (_, n) => sha256(`event ${n}`));

      it('comes to the same however it is cut, stored and taken up again', () =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 6 }), async cuts => {
            const apart = await place.open();
            try {
              await apart.declare(SEAL_COLLECTIONS);
              const whole = new GrowingSeal();
              let at = 0;
              let stored: number | null = null;
              for (const cut of cuts) {
                const edge = new Edge((await readSeal(apart).edge())?.stored ?? null);
                for (const digest of digests.slice(at, at + cut)) {
                  edge.add(digest, 3 * whole.size);
                  whole.add(digest, 3 * whole.size);
                }
                at += cut;
                expect(edge.now()).toEqual(whole.now());
                const position = 3 * whole.size;
                const expect_ = stored === null ? null : { position: stored };
                await apart.commit({
                  writes: edge.changes(),
                  checkpoint: { name: SEALED, value: { position }, expect: expect_ },
                });
                stored = position;
                expect(await readSeal(apart).historyAt(position)).toEqual(whole.now());
              }
            } finally {
              await apart.close();
            }
          }),
          { numRuns: 12 },
        ));

      it('gives every leaf a path to the root, and a ladder that leads there', async () => {
        await documents.declare(SEAL_COLLECTIONS);
        const edge = new Edge(null);
        digests.forEach((digest, position) => edge.add(digest, position));
        await documents.commit({
          writes: edge.changes(),
          checkpoint: { name: SEALED, value: { position: 1_299 }, expect: null },
        });
        const { subtree } = readSeal(documents);
        const { root } = edge.now();
        for (const index of [0, 255, 256, 700, 1_299]) {
          const path = await auditPath(index, 1_300, subtree);
          expect(rootByPath(index, 1_300, digests[index]!, path)?.toString('hex')).toBe(root);
        }
        const ladder = await ladderOf(1_300, subtree);
        expect(rungsOf(ladder, 1_300, root)).toHaveLength(162);
        expect(rungsOf(ladder, 1_301, root)).toBeNull();
        expect(rungsOf({ ...ladder, rungs: ladder.rest }, 1_300, root)).toBeNull();
        await expect(subtree(9, 2)).rejects.toThrow(BrokenSeal);
      });

      it('refuses the second of two commits that begin at the same place', async () => {
        await documents.declare(SEAL_COLLECTIONS);
        const commit = () =>
          documents.commit({
            writes: [],
            checkpoint: { name: SEALED, value: { position: 1 }, expect: null },
          });
        await commit();
        await expect(commit()).rejects.toThrow(CheckpointMoved);
      });
    });

    describe('proofs', () => {
      const prover = (patience = 5_000) =>
        createProver({
          reading: readSeal(documents),
          checkpoints: checkpointsOf(),
          keys: openLedgerKeys(keysFile),
          instanceId: 'local',
          timeZone: 'UTC',
          projections: { fees: 1 },
          patience,
        });

      it('bind an answer to a history', async () => {
        await record(20);
        const { stop } = start();
        const position = await store.head();
        const body = { summary: [], byMerchant: [] };
        const query = { action: 'get_revenue' };
        const proof = await prover().prove({ query, body, position });
        await stop();
        const { signature, key, checkpoint: _, ladder, ...claims } = proof;
        const { size, head, root } = (await histories()).at(-1)!;
        expect(claims).toMatchObject({ size, head, root, query, bodyDigest: bodyDigest(body) });
        expect(isSigned(proofStatement(claims), signature, key)).toBe(true);
        expect(isSigned(proofStatement({ ...claims, query: { action: 'x' } }), signature, key)).toBe(false);
        expect(rungsOf(ladder, size, root)).not.toBeNull();
      });

      it('are not given before the sealer has come there', async () => {
        await record(1);
        await expect(
          prover(100).prove({ query: {}, body: {}, position: await store.head() }),
        ).rejects.toThrow(NotSealed);
      });

      it('cover no personal text, so that they outlive its erasure', () => {
        const invoice = (reason: string | null) => ({
          invoice: { voidReason: reason, history: [{ reason }] },
        });
        expect(bodyDigest(invoice('a name'))).toBe(bodyDigest(invoice(null)));
        expect(bodyDigest({ a: 1 })).not.toBe(bodyDigest({ a: 2 }));
      });
    });
  });
}
