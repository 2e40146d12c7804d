import { InMemoryDocumentsDouble } from '../../test/doubles/documents';
import { physical, seal, type Generation } from './generation';
import { changeRecord, PROJECTIONS } from './record';
import { watchRecords } from './records';
import { createServing } from './serving';

const generation = (number: number): Generation => ({
  generation: number,
  version: 1,
  collections: ['accounts'],
  checkpoints: [`ledger@${number}`],
});

const empty = { latest: 2, building: null, retired: [], fault: null };

let stopped: AbortController;
beforeEach(() => void (stopped = new AbortController()));
afterEach(() => stopped.abort());

async function setUp() {
  const documents = new InMemoryDocumentsDouble();
  const records = watchRecords(documents, ['ledger'], stopped.signal);
  const serving = createServing(documents, records, stopped.signal);
  const served = async () => (await serving.generation('ledger'))?.generation ?? null;
  const point = (to: number) => changeRecord(documents, 'ledger', () => ({ ...empty, ...generation(to) }));
  const advance = (to: number, position: number) =>
    documents.commit({ writes: [], checkpoint: { name: physical('ledger', to), value: { position } } });
  await documents.declare([PROJECTIONS]);
  return { documents, records, serving, served, point, advance };
}

/** Long enough for every look that is under way. */
const settle = () => new Promise(resolve => setTimeout(resolve, 30));

describe('the generation reads are served from', () => {
  it('is none until the projection has run, then the first', async () => {
    const { served, point } = await setUp();
    expect(await served()).toBeNull();
    await point(1);
    expect(await served()).toBe(1);
  });

  it('is the old one until it can advance no more and the new one has seen all that it had', async () => {
    const { documents, served, point, advance } = await setUp();
    await point(1);
    await advance(1, 7);
    await advance(2, 7);
    expect(await served()).toBe(1);

    await point(2);
    await settle();
    expect(await served()).toBe(1);

    await advance(1, 9); // by a runner that has not heard of the switch
    await seal(documents, generation(1));
    await settle();
    expect(await served()).toBe(1);

    await advance(2, 9);
    await settle();
    expect(await served()).toBe(2);
  });

  it('is the new one at once for a read that found the old one gone', async () => {
    const { serving, served, point } = await setUp();
    await point(1);
    expect(await served()).toBe(1);
    await point(2);
    await serving.renew('ledger');
    expect(await served()).toBe(2);
  });
});
