import type { LogProjection } from '../../../projections/projection';
import { type DataFolder, until, type Program } from '../program';

const signal = new AbortController().signal;

/** Per account what it was sent, in order: shows lost, duplicate and reordered messages. */
const statements: LogProjection = {
  name: 'statements',
  version: 1,
  topics: ['transfers'],
  collections: [{ name: 'statements', indexes: [] }],
  touches: ({ key }) => [{ collection: 'statements', id: key }],
  fold: (document, { value }, { id }) => ({
    _id: id,
    lines: [...((document?.['lines'] as string[] | undefined) ?? []), value.toString()],
  }),
};

const ACCOUNTS = ['a', 'b', 'c', 'd', 'e'];

let folder: DataFolder;

async function open(projection = statements): Promise<Program> {
  const program = folder.open({ projections: [projection] });
  await program.log.declare([{ name: 'transfers', partitions: 3, cleanup: 'delete' }]);
  return program;
}

async function publish({ log }: Program, from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n++)
    await log.publish(
      'transfers',
      ACCOUNTS.map(key => ({ key, value: Buffer.from(String(n)) })),
    );
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));

/** True once every account has the lines 0 to count - 1. Fails for any other lines. */
async function has({ views }: Program, count: number): Promise<boolean> {
  const found = await views.getMany('statements', ACCOUNTS);
  for (const { lines } of found.values()) expect(lines).toEqual(numbers((lines as string[]).length));
  return ACCOUNTS.every(account => (found.get(account)?.['lines'] as string[] | undefined)?.length === count);
}

/** Contract of log projections on any documents adapter; `openFolder` is called for each test. */
export function describeLogProjections(
  adapter: string,
  openFolder: () => DataFolder | Promise<DataFolder>,
): void {
  describe(`on documents in ${adapter}`, () => {
    beforeEach(async () => {
      folder = await openFolder();
    });
    afterEach(() => folder.remove());

    describe('a projection of the log', () => {
      it('folds what is published, each partition in order', async () => {
        const program = await open();
        program.start();
        await publish(program, 0, 20);
        await until(() => has(program, 20));
        expect(await program.views.waitForPosition('statements', 1_000, 0)).toBe(true);
        const [status] = await until(
          () => program.engine.status(),
          ([seen]) => seen!.lag === 0,
        );
        expect(status).toMatchObject({ state: 'live' });
        expect(Object.keys((status!.checkpoint as { offsets: object }).offsets)).toHaveLength(3);
      });

      it('continues from its checkpoints when the program starts again', async () => {
        const first = await open();
        first.start();
        await publish(first, 0, 10);
        await until(() => has(first, 10));
        await publish(first, 10, 5);
        await first.stop();
        const second = await open();
        expect((await second.engine.status())[0]).toMatchObject({ name: 'statements', generation: 1 });
        await publish(second, 15, 5);
        second.start();
        await until(() => has(second, 20));
      });

      it('has no lag once it has seen what changes no document', async () => {
        const program = await open({ ...statements, touches: () => [] });
        program.start();
        // What comes first is stored at once.
        for (let n = 0; n < 3; n++) {
          await publish(program, n, 1);
          await until(
            () => program.engine.status(),
            ([seen]) => seen!.lag === 0,
          );
        }
      });

      it('is shared by two programs, and continued by one when the other stops', async () => {
        const [one, other] = [await open(), await open()];
        one.start();
        await publish(one, 0, 10);
        other.start();
        await publish(one, 10, 10);
        await until(() => has(other, 20));
        await one.stop();
        await publish(other, 20, 10);
        await until(() => has(other, 30));
      });

      it('is rebuilt while messages are published, and both programs continue with the new generation', async () => {
        const [one, other] = [await open(), await open()];
        one.start();
        other.start();
        await publish(one, 0, 20);
        await until(() => has(one, 20));
        const publishing = publish(one, 20, 60);
        const operator = await open();
        expect(await operator.engine.rebuild('statements', { signal })).toMatchObject({
          to: { generation: 2 },
          comparison: { different: 0 },
          switched: true,
        });
        await publishing;
        await until(() => has(other, 80));
        await until(() => has(one, 80));
        const verified = await operator.engine.rebuild('statements', { signal, switchWhen: 'never' });
        expect(verified.comparison).toEqual({ documents: 5, different: 0, inconclusive: 0, examples: [] });

        const lost = { collection: 'statements@2', id: 'c', document: null };
        await operator.documents.commit({ writes: [lost] });
        const found = await operator.engine.rebuild('statements', { signal, switchWhen: 'equal' });
        expect(found).toMatchObject({
          switched: false,
          comparison: { different: 1, examples: ['statements/c'] },
        });
      });

      it('stops when messages of two partitions touch one document', async () => {
        const program = await open({
          ...statements,
          touches: () => [{ collection: 'statements', id: 'all' }],
        });
        program.start();
        // Noticed by the partition that reads what the other one has written: not always in their first batches.
        let published = 0;
        await until(async () => {
          await publish(program, published++, 1);
          return (await program.engine.status())[0]!.state === 'stopped';
        });
        // Where both make it at the same moment, the documents refuse the second one.
        const { error } = (await program.engine.status())[0]!.fault!;
        expect(error).toMatch(/document all: written by partition|duplicate key.*"all"/);
      });
    });
  });
}
