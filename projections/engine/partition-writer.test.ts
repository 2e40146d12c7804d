import fc from 'fast-check';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { CheckpointMoved, type Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { history } from '../../test/contracts/builders';
import { Crash, CrashingDocuments } from '../../test/doubles/documents';
import { ledger, type LedgerEvent } from '../../test/projections/ledger';
import type { EventProjection } from '../projection';
import { MAX_COMMIT_BYTES, MAX_COMMIT_DOCUMENTS } from './batch-size';
import { FoldError } from './fold';
import { physicalSpecs, freeze } from './generation';
import { EVENTS } from './input-kinds';
import { allEvents } from './input-partition';
import { openPartitionWriter } from './partition-writer';
import { runs } from '../../test/random';

const EVERYTHING = allEvents(ledger.name, 1);

const events = (...happened: readonly LedgerEvent[]): RecordedEvent[] =>
  history(...happened.map(event => [`account-${event.data.account}`, event] as const));

const paid = (account: string, amount: number): LedgerEvent => ({ type: 'Paid', data: { account, amount } });
const closed = (account: string): LedgerEvent => ({ type: 'Closed', data: { account, amount: 0 } });
const poison: LedgerEvent = { type: 'Poison', data: { account: 'a', amount: 0 } };

const open = (documents: CrashingDocuments) => openPartitionWriter(documents, ledger, 1, EVERYTHING, EVENTS);

async function emptyDocuments(): Promise<CrashingDocuments> {
  const documents = new CrashingDocuments();
  await documents.declare(physicalSpecs(ledger.collections, 1));
  return documents;
}

async function contents(documents: CrashingDocuments): Promise<readonly Document[]> {
  const accounts = await documents.find<Document>('accounts@1', { limit: 10_000 });
  const days = await documents.find<Document>('days@1', { limit: 10_000 });
  return [...accounts.documents, ...days.documents];
}

describe('a partition writer', () => {
  it('commits what a batch changed together with the checkpoint', async () => {
    const documents = await emptyDocuments();
    const writer = await open(documents);

    await writer.apply(events(paid('a', 5), paid('b', 1), paid('a', 2)), 7);

    const counted = { after: -1, events: 3 };
    expect(await documents.checkpoint('ledger@1')).toEqual({ position: 7, counted });
    expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 7, _seen: 2 });
    expect(await documents.get('accounts@1', 'b')).toEqual({ _id: 'b', total: 1, _seen: 1 });
  });

  it('does not store the checkpoint when nothing changed, until it is flushed', async () => {
    const documents = await emptyDocuments();
    const writer = await open(documents);

    await writer.apply([], 7);
    expect(writer.seen).toBe(7);
    expect(await documents.checkpoint('ledger@1')).toBeNull();

    await writer.flush();
    expect(await documents.checkpoint('ledger@1')).toMatchObject({ position: 7 });
  });

  it('keeps deferred changes for the next commit', async () => {
    const documents = await emptyDocuments();
    const writer = await open(documents);
    const happened = events(paid('a', 5), paid('b', 1), paid('a', 2));

    await writer.apply(happened.slice(0, 2), 1, { defer: true });
    expect(writer).toMatchObject({ seen: 1, flushed: false });
    expect(await documents.checkpoint('ledger@1')).toBeNull();

    await writer.apply(happened.slice(2), 7);
    expect(await documents.checkpoint('ledger@1')).toMatchObject({ position: 7 });
    expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 7, _seen: 2 });
    expect(await documents.get('accounts@1', 'b')).toEqual({ _id: 'b', total: 1, _seen: 1 });
  });

  it('commits deferred changes when an event cannot be folded', async () => {
    const documents = await emptyDocuments();
    const writer = await open(documents);
    const happened = events(paid('a', 5), poison);

    await writer.apply(happened.slice(0, 1), 0, { defer: true });
    await expect(writer.apply(happened.slice(1), 1)).rejects.toThrow(FoldError);
    expect(await documents.checkpoint('ledger@1')).toMatchObject({ position: 0 });
    expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 5 });
  });

  it('goes back to its checkpoint when a commit fails, and folds the same events again', async () => {
    const documents = await emptyDocuments();
    const writer = await open(documents);
    const happened = events(paid('a', 5), paid('a', 2));
    const { commit } = documents;

    await writer.apply(happened.slice(0, 1), 0, { defer: true });
    documents.commit = () => Promise.reject(new Error('the disk is full'));
    await expect(writer.apply(happened.slice(1), 1)).rejects.toThrow('the disk is full');
    expect(writer.seen).toBe(-1);

    documents.commit = commit;
    await writer.apply(happened, 1);
    expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 7 });
  });

  describe('that pipelines its commits', () => {
    /** Documents whose commits wait for the test. */
    async function slow() {
      const documents = await emptyDocuments();
      const { commit } = documents;
      const pending: { pass(): void; fail(error: Error): void }[] = [];
      documents.commit = async writes => {
        await new Promise<void>((pass, fail) => pending.push({ pass, fail }));
        await commit.call(documents, writes);
      };
      return { documents, pending, writer: await open(documents) };
    }
    const happened = events(paid('a', 5), paid('a', 3), closed('a'), paid('a', 1));

    it('folds into what a pending commit will store', async () => {
      const { documents, pending, writer } = await slow();
      await writer.apply(happened.slice(0, 1), 0, { pipeline: true });
      expect(writer).toMatchObject({ seen: 0, flushed: false });

      const second = writer.apply(happened.slice(1, 2), 1, { pipeline: true });
      pending[0]!.pass();
      await second;
      expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 5 });

      const flushed = writer.flush();
      pending[1]!.pass();
      await flushed;
      expect(writer).toMatchObject({ seen: 1, flushed: true });
      expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 8, _seen: 1 });
      expect(await documents.checkpoint('ledger@1')).toMatchObject({ position: 1 });
    });

    it('starts from null after a pending commit that deletes', async () => {
      const { documents, pending, writer } = await slow();
      await writer.apply(happened.slice(0, 2), 1, { pipeline: true });
      const deleted = writer.apply(happened.slice(2, 3), 2, { pipeline: true });
      pending[0]!.pass();
      await deleted;
      const again = writer.apply(happened.slice(3), 3, { pipeline: true });
      pending[1]!.pass();
      await again;
      pending[2]!.pass();
      await writer.flush();
      expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 1, _seen: 3 });
    });

    it('throws the error of a failed commit at the next one, and goes back to the checkpoint', async () => {
      const { documents, pending, writer } = await slow();
      await writer.apply(happened.slice(0, 1), 0, { pipeline: true });
      const next = writer.apply(happened.slice(1, 2), 1, { pipeline: true });
      pending[0]!.fail(new Error('the disk is full'));
      await expect(next).rejects.toThrow('the disk is full');
      expect(writer).toMatchObject({ seen: -1, flushed: true });

      await writer.apply(happened.slice(0, 2), 1, { pipeline: true });
      pending[1]!.pass();
      await writer.flush();
      expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 8 });
    });

    it('never has two commits at a time', async () => {
      const { pending, writer } = await slow();
      await writer.apply(happened.slice(0, 1), 0, { pipeline: true });
      const second = writer.apply(happened.slice(1, 2), 1, { pipeline: true });
      await new Promise(setImmediate);
      expect(pending).toHaveLength(1);
      pending[0]!.pass();
      await second;
      expect(pending).toHaveLength(2);
      pending[1]!.pass();
      await writer.flush();
    });
  });

  it('folds all inputs of a document at once where the projection can, and one by one to find a faulty event', async () => {
    const documents = await emptyDocuments();
    const foldAll = jest.fn<Document | null, Parameters<NonNullable<typeof ledger.foldAll>>>(
      (document, inputs, key) => inputs.reduce((folded, input) => ledger.fold(folded, input, key), document),
    );
    const writer = await openPartitionWriter(documents, { ...ledger, foldAll }, 1, EVERYTHING, EVENTS);
    const happened = events(paid('a', 5), paid('a', 1), paid('a', 2), poison, paid('a', 2));

    await writer.apply(happened.slice(0, 2), 1);
    expect(foldAll.mock.calls.map(([, inputs]) => inputs.length)).toEqual([2, 2]);
    expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 6, _seen: 1 });

    await expect(writer.apply(happened, 4)).rejects.toThrow(/position 3 /);
    expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 8, _seen: 2 });
    expect(await documents.get('days@1', 'all')).toMatchObject({ events: 3 });
  });

  it('commits the events before one that cannot be folded, and names that one', async () => {
    const documents = await emptyDocuments();
    const writer = await open(documents);

    const applied = writer.apply(events(paid('a', 5), paid('a', 1), poison, paid('a', 2)), 3);

    await expect(applied).rejects.toThrow(FoldError);
    await expect(applied).rejects.toThrow(/position 2 \(Poison, account-a revision 2\)/);
    expect(await documents.checkpoint('ledger@1')).toMatchObject({ position: 1 });
    expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 6 });
    // Nor is it folded into the day, although the day comes before the account that throws.
    expect(await documents.get('days@1', 'all')).toMatchObject({ events: 2 });
  });

  it('says which documents are new', async () => {
    const documents = await emptyDocuments();
    const said: string[] = [];
    const { commit } = documents;
    documents.commit = async changes => {
      await commit.call(documents, changes);
      said.push(changes.writes.map(({ id, isNew }) => `${isNew ? 'new ' : ''}${id}`).join());
    };
    const [pipeline, defer] = [{ pipeline: true }, { defer: true }];
    const happened = events(
      paid('a', 2),
      paid('b', 1),
      paid('c', 1),
      closed('a'),
      paid('a', 1),
      paid('b', 1),
    );
    const writer = await open(documents);
    await writer.apply(happened.slice(0, 1), 0, defer);
    await writer.apply(happened.slice(0, 2), 1, pipeline);
    await writer.apply(happened.slice(2, 4), 3, pipeline);
    await writer.apply(happened.slice(4, 5), 4, pipeline);
    await writer.flush();
    await (await open(documents)).apply(happened, 5);
    expect(said).toEqual(['new a,new b,new all', 'new c,a,all', 'new a,all', 'b,all']);
  });

  it('commits many documents in parts, each after a whole event', async () => {
    const documents = await emptyDocuments();
    const writer = await open(documents);
    const accounts = 2 * MAX_COMMIT_DOCUMENTS + 5;
    const happened = events(...Array.from({ length: accounts }, (_, n) => paid(String(n), 1)));
    const commits: { writes: number; position: unknown }[] = [];
    const { commit } = documents;
    documents.commit = async changes => {
      await commit.call(documents, changes);
      commits.push({ writes: changes.writes.length, position: changes.checkpoint?.value });
    };

    await writer.apply(happened.slice(0, 10), 9, { defer: true });
    await writer.apply(happened, accounts - 1);

    // Each has the document of the day too.
    const each = MAX_COMMIT_DOCUMENTS - 1;
    expect(commits.map(({ writes }) => writes)).toEqual([each + 1, each + 1, 7 + 1]);
    expect(commits.map(({ position }) => position)).toMatchObject([
      { position: each - 1, counted: { events: each } },
      { position: 2 * each - 1, counted: { events: 2 * each } },
      { position: accounts - 1, counted: { events: accounts } },
    ]);
    expect(await documents.get('days@1', 'all')).toMatchObject({ events: accounts });
    expect((await documents.find('accounts@1', { limit: 10_000 })).next).not.toBeNull();
  });

  it('commits large documents in parts, each after a whole event', async () => {
    const documents = await emptyDocuments();
    const LARGE = 1_024 * 1_024;
    const COUNT = 40;
    const texts: EventProjection = {
      ...ledger,
      touches: event => [{ collection: 'accounts', id: String(event.data['account']) }],
      fold: (document, event, { id }) => ({
        _id: id,
        text: String(document?.['text'] ?? '') + String(event.data['text'] ?? ''),
      }),
    };
    const written = (text: string) =>
      events(
        ...Array.from({ length: COUNT }, (_, n): LedgerEvent => {
          const { type, data } = paid(String(n), 1);
          return { type, data: { ...data, text } as LedgerEvent['data'] };
        }),
      );
    const created = written('x'.repeat(LARGE));
    const changed = written('y').map(event => ({ ...event, position: event.position + COUNT }));
    const commits: { readonly bytes: number; readonly position: unknown }[] = [];
    const { commit } = documents;
    documents.commit = async changes => {
      await commit.call(documents, changes);
      const bytes = JSON.stringify(changes.writes).length;
      commits.push({ bytes, position: (changes.checkpoint?.value as { position: number }).position });
    };
    const writer = await openPartitionWriter(documents, texts, 1, EVERYTHING, EVENTS);

    await writer.apply(created.slice(0, 8), 7, { defer: true });
    await writer.apply(created, COUNT - 1);
    await writer.apply(changed, 2 * COUNT - 1);

    for (const { bytes } of commits) expect(bytes).toBeLessThan(MAX_COMMIT_BYTES);
    // Fifteen documents of a mebibyte and a little each.
    expect(commits.map(({ position }) => position)).toEqual([14, 29, 39, 54, 69, 79]);
    for (let n = 0; n < COUNT; n++)
      expect(String((await documents.get('accounts@1', String(n)))!['text'])).toHaveLength(LARGE + 1);
  });

  it('commits smaller parts after a commit that was not done in time, and larger ones once they are fast', async () => {
    const documents = await emptyDocuments();
    const accounts = 6 * MAX_COMMIT_DOCUMENTS;
    const happened = events(...Array.from({ length: accounts }, (_, n) => paid(String(n), 1)));
    const SLOW_MS = 100_000 / MAX_COMMIT_DOCUMENTS;
    const LIMIT_MS = 60_000;
    let [now, msEach] = [0, SLOW_MS];
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const sizes: number[] = [];
    const { commit } = documents;
    documents.commit = async changes => {
      const size = changes.writes.length;
      sizes.push(size);
      now += Math.min(size * msEach, LIMIT_MS);
      if (size * msEach > LIMIT_MS) throw new EngineUnavailable('documents', 'it takes too long');
      await commit.call(documents, changes);
    };
    /** As often as the runner of a projection has to. */
    const applied = async (upTo: number): Promise<void> => {
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const writer = await open(documents);
        const done = writer.apply(happened.slice(writer.seen + 1, upTo), upTo - 1).then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(EngineUnavailable);
            return false;
          },
        );
        if (await done) return;
      }
      throw new Error('there is no progress');
    };
    try {
      await applied(MAX_COMMIT_DOCUMENTS - 1);
      const half = MAX_COMMIT_DOCUMENTS / 2;
      expect(sizes).toEqual([2 * half, half, half, 2]);
      sizes.length = 0;
      msEach = SLOW_MS / 10;
      await applied(accounts);
      expect(sizes.slice(0, 2)).toEqual([2 * half, 2 * half]);
    } finally {
      clock.mockRestore();
    }
    expect(await documents.get('days@1', 'all')).toMatchObject({ events: accounts });
  });

  it('is refused with all its documents after a commit of another writer', async () => {
    const documents = await emptyDocuments();
    const [one, other] = [await open(documents), await open(documents)];
    const happened = events(paid('a', 5), paid('b', 1));

    await one.apply(happened, 1);
    await expect(other.apply(happened.slice(0, 1), 0, { flush: true })).rejects.toThrow(CheckpointMoved);

    expect(await documents.get('accounts@1', 'b')).toMatchObject({ total: 1 });
    expect(await documents.checkpoint('ledger@1')).toMatchObject({ position: 1 });
  });

  it('cannot write to a frozen generation, nor be opened on it', async () => {
    const documents = await emptyDocuments();
    const writer = await open(documents);
    await writer.apply(events(paid('a', 5)), 0);

    const generation = {
      generation: 1,
      version: 1,
      collections: ['accounts', 'days'],
      checkpoints: ['ledger@1'],
    };
    await freeze(documents, generation);
    await freeze(documents, generation);

    await expect(writer.apply(events(paid('a', 5), paid('a', 1)), 1)).rejects.toThrow(CheckpointMoved);
    await expect(open(documents)).rejects.toThrow(CheckpointMoved);
    expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 5 });
  });

  it('gives the same documents and count for any batches and crashes', async () => {
    const account = fc.constantFrom('a', 'b');
    const happened = fc.array(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.tuple(account, fc.integer({ min: 1, max: 2 })).map(args => paid(...args)),
        },
        { weight: 2, arbitrary: account.map(closed) },
      ),
      { maxLength: 40 },
    );
    const crashes = fc.array(
      fc.record({ size: fc.integer({ min: 1, max: 12 }), steps: fc.nat(6), pipeline: fc.boolean() }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(happened, crashes, async (happened, crashes) => {
        const inputs = events(...happened);
        const uninterrupted = await emptyDocuments();
        if (inputs.length > 0) await (await open(uninterrupted)).apply(inputs, inputs.length - 1);

        const documents = await emptyDocuments();
        for (const { size, steps, pipeline } of [...crashes, { size: 5, steps: Infinity, pipeline: true }]) {
          documents.crashAfter = steps;
          const writer = await open(documents);
          try {
            while (writer.seen < inputs.length - 1) {
              const batch = inputs.slice(writer.seen + 1, writer.seen + 1 + size);
              const defer = pipeline && writer.seen % 2 === 0;
              await writer.apply(batch, batch.at(-1)!.position, { flush: !defer, defer, pipeline });
            }
            await writer.flush();
          } catch (error) {
            if (!(error instanceof Crash)) throw error;
          }
        }
        expect(await contents(documents)).toEqual(await contents(uninterrupted));
        const stored = await documents.checkpoint('ledger@1');
        expect(stored).toEqual(await uninterrupted.checkpoint('ledger@1'));
        if (stored) expect(stored).toMatchObject({ counted: { after: -1, events: inputs.length } });
      }),
      runs(100),
    );
  });
});
