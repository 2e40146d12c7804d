import { InMemoryDocuments } from '../../test/doubles/documents';
import { until } from '../../test/until';
import { physicalName, freeze, type Generation } from './generation';
import { changeRecord, PROJECTIONS } from './projection-record';
import { createRecordCache } from './record-cache';
import { createReadGenerations } from './read-generations';

const generation = (number: number): Generation => ({
  generation: number,
  version: 1,
  collections: ['accounts'],
  checkpoints: [`ledger@${number}`],
});

const empty = { latest: 2, building: null, retired: [], fault: null };

let stopped: AbortController;
let documents: InMemoryDocuments;
beforeEach(() => {
  stopped = new AbortController();
  documents = new InMemoryDocuments();
});
afterEach(async () => {
  stopped.abort();
  await documents.close();
});

async function setUp() {
  const records = createRecordCache(documents, ['ledger'], stopped.signal);
  const generations = createReadGenerations(documents, records, stopped.signal);
  const served = async () => (await generations.get('ledger'))?.generation ?? null;
  const promote = (to: number) => changeRecord(documents, 'ledger', () => ({ ...empty, ...generation(to) }));
  const advance = (to: number, position: number) =>
    documents.commit({ writes: [], checkpoint: { name: physicalName('ledger', to), value: { position } } });
  const reads = jest.spyOn(documents, 'checkpoint');
  /** Resolves when both generations have been compared several times. */
  const polls = () => {
    const before = reads.mock.calls.length;
    return until(() => reads.mock.calls.length > before + 10);
  };
  await documents.declare([PROJECTIONS]);
  return { records, generations, served, promote, advance, polls };
}

describe('the generation that is read', () => {
  it('is null until the projection has run, then the first', async () => {
    const { served, promote } = await setUp();
    expect(await served()).toBeNull();
    await promote(1);
    expect(await served()).toBe(1);
  });

  it('is the old one until it is frozen and the new one has folded as much', async () => {
    const { served, promote, advance, polls } = await setUp();
    await promote(1);
    await advance(1, 7);
    await advance(2, 7);
    expect(await served()).toBe(1);

    await promote(2);
    await polls();
    expect(await served()).toBe(1);

    await advance(1, 9); // by a runner that does not know of the switch yet
    await freeze(documents, generation(1));
    await polls();
    expect(await served()).toBe(1);

    await advance(2, 9);
    await until(async () => (await served()) === 2);
  });

  it('is the new one immediately for a read that found the old one dropped', async () => {
    const { generations, served, promote } = await setUp();
    await promote(1);
    expect(await served()).toBe(1);
    await promote(2);
    await generations.refresh('ledger');
    expect(await served()).toBe(2);
  });

  it('calls back whenever it becomes another one, the first included', async () => {
    const { generations, served, promote } = await setUp();
    const switched = jest.fn();
    const stop = generations.onSwitch('ledger', switched);
    expect(await served()).toBeNull();
    await promote(1);
    await until(() => switched.mock.calls.length === 1);
    expect(generations.peek('ledger')?.generation).toBe(1);
    await promote(2);
    await generations.refresh('ledger');
    expect(switched).toHaveBeenCalledTimes(2);
    stop();
    await promote(3);
    await generations.refresh('ledger');
    expect(switched).toHaveBeenCalledTimes(2);
  });
});
