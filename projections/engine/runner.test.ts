import { pino } from 'pino';
import { InMemoryDocuments } from '../../test/doubles/documents';
import { until } from '../../test/until';
import { changeRecord, PROJECTIONS } from './projection-record';
import { createRecordCache } from './record-cache';
import { runProjection, type Runner } from './runner';

it('keeps nothing of its looks while it waits for a place to rebuild', async () => {
  const documents = new InMemoryDocuments();
  const stopping = new AbortController();
  await documents.declare([PROJECTIONS]);
  const earlier = { generation: 1, version: 1, collections: [], checkpoints: ['ledger@1'] };
  await changeRecord(documents, 'ledger', () => ({
    ...earlier,
    latest: 1,
    building: null,
    retired: [],
    fault: null,
  }));
  const acquired = new Promise<never>(() => undefined);
  const place = Object.assign(new Promise<never>(() => undefined), { then: () => acquired });
  const waits = jest.spyOn(acquired, 'then');
  let looks = 0;
  const running = runProjection({
    context: {
      documents,
      records: createRecordCache(documents, ['ledger'], stopping.signal),
      order: { isWanted: () => (looks++, false) },
      logger: pino({ level: 'silent' }),
    },
    projection: { name: 'ledger', version: 2, categories: [], collections: [] },
    rebuilds: { acquire: () => place },
    signal: stopping.signal,
    onState() {},
  } as unknown as Runner);
  await until(() => looks > 5);
  expect(waits.mock.calls.length).toBeLessThan(2);
  stopping.abort();
  await running;
  await documents.close();
});
