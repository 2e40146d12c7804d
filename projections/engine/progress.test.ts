import type { Documents } from '../../contracts/ports/documents';
import { InMemoryDocuments } from '../../test/doubles/documents';
import type { EventProjection, LogProjection, Projection } from '../projection';
import { ENGINE_COLLECTIONS, type ProjectionRecord } from './projection-record';
import { storedProgress } from './progress';

const rest = { version: 1, collections: [], touches: () => [], fold: () => null };
const ofTopics = (name: string, ...topics: string[]): LogProjection => ({ ...rest, name, topics });
const ofEvents = (name: string): EventProjection => ({ ...rest, name, categories: ['fee'] });

const ENDS: Readonly<Record<string, number[]>> = { ton: [10, 20], solana: [30] };

let documents: InMemoryDocuments;
let ends: string[];
const log = {
  endOffsets: async (topic: string) => {
    ends.push(topic);
    return ENDS[topic]!;
  },
} as Parameters<typeof storedProgress>[0]['log'];

beforeEach(async () => {
  documents = new InMemoryDocuments();
  await documents.declare(ENGINE_COLLECTIONS);
  ends = [];
});

async function run({ name }: Projection, checkpoints: Readonly<Record<string, number>>): Promise<void> {
  const generation = { generation: 1, version: 1, collections: [], checkpoints: Object.keys(checkpoints) };
  const record: ProjectionRecord = {
    _id: name,
    ...generation,
    revision: 0,
    latest: 1,
    building: null,
    retired: [],
    fault: null,
  };
  await documents.commit({ writes: [{ collection: 'projections', id: name, document: record }] });
  for (const [checkpoint, at] of Object.entries(checkpoints)) {
    const [, topic, partition] = checkpoint.split('/');
    const value = topic === undefined ? { position: at } : { offsets: { [`${topic}/${partition}`]: at } };
    await documents.commit({ writes: [], checkpoint: { name: checkpoint, value } });
  }
}

it('says what each projection that has run has seen of the events, and of each partition of its topics', async () => {
  const [fees, transfers, both, never] = [
    ofEvents('fees'),
    ofTopics('transfers', 'ton'),
    ofTopics('both', 'ton', 'solana'),
    ofTopics('never', 'solana'),
  ];
  await run(fees, { 'fees@1': 7 });
  await run(transfers, { 'transfers@1/ton/0': 4, 'transfers@1/ton/1': 20 });
  await run(both, { 'both@1/ton/1': 3, 'both@1/solana/0': 30 });
  const of = (topic: string, partition: number) => ({ topic, partition });
  expect(await storedProgress({ documents, log }, [fees, transfers, both, never])).toEqual([
    { reader: 'the projection fees', partition: null, seen: 7 },
    { reader: 'the projection transfers', partition: of('ton', 0), seen: 3 },
    { reader: 'the projection transfers', partition: of('ton', 1), seen: 19 },
    { reader: 'the projection both', partition: of('ton', 0), seen: -1 },
    { reader: 'the projection both', partition: of('ton', 1), seen: 2 },
    { reader: 'the projection both', partition: of('solana', 0), seen: 29 },
  ]);
});

// Each process asks for it every few seconds, of dozens of projections.
it('asks for each topic once and for all records at once, whatever the number of projections', async () => {
  const projections = Array.from({ length: 20 }, (_, n) => ofTopics(`p${n}`, 'ton'));
  for (const each of projections) await run(each, { [`${each.name}@1/ton/0`]: 1 });
  const reads: string[] = [];
  const counted: Documents = Object.assign(Object.create(documents) as Documents, {
    get: async (...args: Parameters<Documents['get']>) => {
      reads.push('get');
      return documents.get(...args);
    },
    getMany: async (...args: Parameters<Documents['getMany']>) => {
      reads.push('getMany');
      return documents.getMany(...args);
    },
  });
  expect(await storedProgress({ documents: counted, log }, projections)).toHaveLength(40);
  expect([ends, reads]).toEqual([['ton'], ['getMany']]);
});
