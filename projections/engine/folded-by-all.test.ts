import { InMemoryDocuments } from '../../test/doubles/documents';
import type { LogProjection } from '../projection';
import { foldedRecordsByAll } from './folded-by-all';
import { ENGINE_COLLECTIONS, type Building, type ProjectionRecord } from './projection-record';

const projection = (name: string, version = 1, topics = ['topic']): LogProjection => ({
  name,
  version,
  topics,
  collections: [],
  touches: () => [],
  fold: () => null,
});

let documents: InMemoryDocuments;
beforeEach(async () => {
  documents = new InMemoryDocuments();
  await documents.declare(ENGINE_COLLECTIONS);
});

/** A projection that has folded the partitions of the topic up to these offsets. */
async function run(
  name: string,
  offsets: readonly number[],
  building: Building | null = null,
): Promise<void> {
  const checkpoints = offsets.map((_, n) => `${name}@1/topic/${n}`);
  const generation = { generation: 1, version: 1, collections: [], checkpoints };
  const record: ProjectionRecord = {
    _id: name,
    ...generation,
    revision: 0,
    latest: 1,
    building,
    retired: [],
    fault: null,
  };
  await documents.commit({ writes: [{ collection: 'projections', id: name, document: record }] });
  for (const [n, offset] of offsets.entries())
    await documents.commit({
      writes: [],
      checkpoint: { name: checkpoints[n]!, value: { offsets: { [`topic/${n}`]: offset } } },
    });
}

it('is the least that any projection of the topic has folded, of each partition', async () => {
  await run('one', [5, 9]);
  await run('two', [7, 3]);
  const other = projection('other', 1, ['another']);
  expect(
    await foldedRecordsByAll(documents, [projection('one'), projection('two'), other], 'topic', 2),
  ).toEqual([5, 3]);
});

it('is not known before each has run, while one is rebuilt, and while one has documents of another version', async () => {
  await run('one', [5, 9]);
  const folded = (...projections: readonly LogProjection[]) =>
    foldedRecordsByAll(documents, projections, 'topic', 2);
  expect(await folded(projection('one'))).toEqual([5, 9]);
  expect(await folded(projection('one'), projection('two'))).toBeNull();
  expect(await folded(projection('one', 2))).toBeNull();
  const building = { generation: 2, version: 1, collections: [], checkpoints: [] };
  await run('one', [5, 9], { ...building, owner: 'somebody', expiresAt: 1, done: 0, total: 1 });
  expect(await folded(projection('one'))).toBeNull();
});
