import { InMemoryDocuments, StoredDocuments } from '../../test/doubles/documents';
import { changeRecord, PROJECTIONS, type RecordContent } from './projection-record';
import { createRecordCache, type RecordCache } from './record-cache';

const record: RecordContent = {
  generation: 1,
  version: 1,
  collections: [],
  checkpoints: [],
  latest: 1,
  building: null,
  retired: [],
  fault: null,
};

/** Documents whose reads of the records wait until the test ends them, and which tell of no change. */
class SlowDocuments extends InMemoryDocuments {
  readonly reads: ((error?: Error) => void)[] = [];
  override waitForChange(): Promise<never> {
    return new Promise(() => undefined);
  }
  override async getMany(...of: Parameters<InMemoryDocuments['getMany']>): Promise<never> {
    const found = await super.getMany(...of);
    await new Promise<void>((resolve, reject) => {
      this.reads.push(error => (error ? reject(error) : resolve()));
    });
    return found as never;
  }
}

let stopped: AbortController;
let slow: SlowDocuments;
let quick: InMemoryDocuments;
let records: RecordCache;
let first: Promise<void>;
const turns = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5));

beforeEach(async () => {
  stopped = new AbortController();
  const stored = new StoredDocuments();
  slow = new SlowDocuments(stored);
  quick = new InMemoryDocuments(stored);
  await quick.declare([PROJECTIONS]);
  records = createRecordCache(slow, ['ledger'], stopped.signal);
  // After the read with which the cache starts, that of its watch goes on.
  first = records.refresh();
  while (slow.reads.length === 0) await turns();
  slow.reads.shift()!();
  await turns();
});
afterEach(() => stopped.abort());

it('who asks during a read shares one with all others, which begins after it', async () => {
  await changeRecord(quick, 'ledger', () => record);
  const asked = Array.from({ length: 50 }, () => records.refresh());
  await turns();
  expect(slow.reads).toHaveLength(1);
  slow.reads.shift()!();
  await turns();
  expect(slow.reads).toHaveLength(1);
  slow.reads.shift()!();
  await Promise.all([first, ...asked]);
  expect(records.peek('ledger')).toMatchObject({ generation: 1 });
});

it('who asks during a read that fails has its error, and the next one reads again', async () => {
  const asked = [first, records.refresh(), records.refresh()];
  await turns();
  slow.reads.shift()!(new Error('no answer'));
  for (const each of await Promise.allSettled(asked))
    expect(each).toMatchObject({ status: 'rejected', reason: { message: 'no answer' } });
  const again = records.refresh();
  await turns();
  slow.reads.shift()!();
  await again;
});
