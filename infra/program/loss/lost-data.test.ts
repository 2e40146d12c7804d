import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { FEE_CATEGORY } from '../../../contracts/events/fee';
import { eventDigest, ledgerLine } from '../../../contracts/ledger-tree/ledger-line';
import type { EventStore } from '../../../contracts/ports/event-store';
import { TreeFrontier } from '../../../services/ledger-tree/frontier';
import { LEDGER_TREE_COLLECTIONS, LEDGER_TREE_POSITION } from '../../../services/ledger-tree/tiles';
import { temporaryFolder } from '../../../test/temporary-folder';
import { openEmbeddedEngines, type Engines } from '../../engines/engines';
import { openSqliteEventStore } from '../../engines/event-store/sqlite/sqlite-event-store';
import { createLossDetector } from './lost-data';

const folder = temporaryFolder();
let engines: Engines;

beforeEach(() => {
  engines = openEmbeddedEngines({ DATA_DIR: join(folder, randomUUID()) });
});
afterEach(() => engines.close());

const record = async (store: EventStore, ...fees: string[]): Promise<void> => {
  for (const fee of fees) {
    const event = { id: randomUUID(), type: 'FeeRecorded', data: { fee }, metadata: { v: 1 } };
    await store.append(`${FEE_CATEGORY}-${fee}`, 'no_stream', [event]);
  }
};

/** Puts all events of the store into the ledger tree. */
async function buildTree(): Promise<void> {
  const { store, documents } = engines;
  const frontier = new TreeFrontier(null);
  for await (const events of store.readAll())
    for (const event of events) frontier.append(eventDigest(ledgerLine(event)), event.position);
  await documents.declare(LEDGER_TREE_COLLECTIONS);
  const value = { position: await store.head() };
  const checkpoint = { name: LEDGER_TREE_POSITION, value };
  await documents.commit({ writes: frontier.takeChanges(), checkpoint });
}

/** The engines with an event store that holds other events. */
async function detectWith(...fees: string[]): Promise<string | undefined> {
  const store = openSqliteEventStore({ path: join(folder, `${randomUUID()}.sqlite`) });
  await record(store, ...fees);
  const behind = await createLossDetector({ ...engines, store })();
  await store.close();
  return behind?.message;
}

describe('lost data', () => {
  it('is not found where the event store has all that was read', async () => {
    expect(await createLossDetector(engines)()).toBeNull();
    await record(engines.store, 'a', 'b', 'c');
    await buildTree();
    expect(await createLossDetector(engines)()).toBeNull();
    await record(engines.store, 'd');
    expect(await createLossDetector(engines)()).toBeNull();
  });

  it('is found when the event store ends before the ledger tree', async () => {
    await record(engines.store, 'a', 'b', 'c');
    await buildTree();
    expect(await detectWith('a')).toMatch(
      /event store.*ends at position 0, and the ledger tree has read up to 2/,
    );
    expect(await detectWith()).toMatch(/ends at position -1/);
  });

  it('is found when other events have taken the positions of the lost', async () => {
    await record(engines.store, 'a', 'b', 'c');
    await buildTree();
    expect(await detectWith('a', 'b', 'x', 'y')).toMatch(
      /last event in the ledger tree is not the one at position 2/,
    );
  });

  it('is found when it is only the first event of a tile that differs', async () => {
    const fees = Array.from({ length: 257 }, (_, n) => `f${n}`);
    await record(engines.store, ...fees);
    await buildTree();
    expect(await createLossDetector(engines)()).toBeNull();
    expect(await detectWith(...fees.slice(0, 256), 'x')).toMatch(/position 256/);
  });

  it('is found when the event store ends before another reader', async () => {
    await record(engines.store, 'a');
    const reader = { reader: 'the projection fees', partition: null, seen: 1 };
    const behind = await createLossDetector(engines, async () => [reader])();
    expect(behind).toMatchObject({ engine: 'event store' });
    expect(behind!.message).toMatch(
      /the projection fees has read up to 1.*tidemark verify.*restore.*accept-loss/,
    );
  });

  it('is found when a partition of the log ends before its reader', async () => {
    const { log } = engines;
    await log.declare([{ name: 'blocks', partitions: 2, cleanup: 'delete' }]);
    const reader = (partition: number, seen: number) =>
      createLossDetector(engines, async () => [
        { reader: 'the projection blocks', partition: { topic: 'blocks', partition }, seen },
      ])();
    await log.publish('blocks', [{ key: 'k', value: Buffer.from('1') }]);
    const partition = (await log.endOffsets('blocks')).indexOf(1);
    expect(await reader(partition, 0)).toBeNull();
    expect(await reader(partition, 1)).toMatchObject({
      engine: 'log',
      message: expect.stringContaining(`blocks/${partition} ends at offset 0, and the projection blocks`),
    });
    expect(await reader(1 - partition, 0)).toMatchObject({ engine: 'log' });
  });
});
