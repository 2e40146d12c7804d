import fc from 'fast-check';
import { CheckpointMoved, type Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { history } from '../../test/contracts/inputs';
import { Crash, InMemoryDocumentsDouble } from '../../test/doubles/documents';
import { ledger, type LedgerEvent } from '../../test/projections/ledger';
import { DELETIONS } from './deletions';
import { FoldError } from './fold';
import { physicalSpecs, seal } from './generation';
import { EVENTS } from './inputs';
import { eventLane } from './lane';
import { openLane } from './lane-writer';

const LANE = eventLane(ledger.name, 1);

const events = (...happened: readonly LedgerEvent[]): RecordedEvent[] =>
  history(...happened.map(event => [`account-${event.data.account}`, event] as const));

const paid = (account: string, amount: number): LedgerEvent => ({ type: 'Paid', data: { account, amount } });
const closed = (account: string): LedgerEvent => ({ type: 'Closed', data: { account, amount: 0 } });
const poison: LedgerEvent = { type: 'Poison', data: { account: 'a', amount: 0 } };

const open = (documents: InMemoryDocumentsDouble) => openLane(documents, ledger, 1, LANE, EVENTS);

async function declared(): Promise<InMemoryDocumentsDouble> {
  const documents = new InMemoryDocumentsDouble();
  await documents.declare([DELETIONS, ...physicalSpecs(ledger.collections, 1)]);
  return documents;
}

async function contents(documents: InMemoryDocumentsDouble): Promise<readonly Document[]> {
  const accounts = await documents.find<Document>('accounts@1', { limit: Infinity });
  const days = await documents.find<Document>('days@1', { limit: Infinity });
  return [...accounts.documents, ...days.documents];
}

describe('a lane writer', () => {
  it('commits what a batch changed together with the checkpoint', async () => {
    const documents = await declared();
    const lane = await open(documents);

    await lane.apply(events(paid('a', 5), paid('b', 1), paid('a', 2)), 7);

    expect(await documents.checkpoint('ledger@1')).toEqual({ position: 7 });
    expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 7, _seen: 2 });
    expect(await documents.get('accounts@1', 'b')).toEqual({ _id: 'b', total: 1, _seen: 1 });
  });

  it('leaves the checkpoint alone when nothing changed, until it is flushed', async () => {
    const documents = await declared();
    const lane = await open(documents);

    await lane.apply([], 7);
    expect(lane.seen).toBe(7);
    expect(await documents.checkpoint('ledger@1')).toBeNull();

    await lane.flush();
    expect(await documents.checkpoint('ledger@1')).toEqual({ position: 7 });
  });

  it('holds what changed, when it may, until the next commit', async () => {
    const documents = await declared();
    const lane = await open(documents);
    const happened = events(paid('a', 5), paid('b', 1), paid('a', 2));

    await lane.apply(happened.slice(0, 2), 1, { hold: true });
    expect(lane).toMatchObject({ seen: 1, flushed: false });
    expect(await documents.checkpoint('ledger@1')).toBeNull();

    await lane.apply(happened.slice(2), 7);
    expect(await documents.checkpoint('ledger@1')).toEqual({ position: 7 });
    expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 7, _seen: 2 });
    expect(await documents.get('accounts@1', 'b')).toEqual({ _id: 'b', total: 1, _seen: 1 });
  });

  it('commits what it holds when an event cannot be folded', async () => {
    const documents = await declared();
    const lane = await open(documents);
    const happened = events(paid('a', 5), poison);

    await lane.apply(happened.slice(0, 1), 0, { hold: true });
    await expect(lane.apply(happened.slice(1), 1)).rejects.toThrow(FoldError);
    expect(await documents.checkpoint('ledger@1')).toEqual({ position: 0 });
    expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 5 });
  });

  it('goes back to its checkpoint when a commit fails, and takes the same events again', async () => {
    const documents = await declared();
    const lane = await open(documents);
    const happened = events(paid('a', 5), paid('a', 2));
    const { commit } = documents;

    await lane.apply(happened.slice(0, 1), 0, { hold: true });
    documents.commit = () => Promise.reject(new Error('the disk is full'));
    await expect(lane.apply(happened.slice(1), 1)).rejects.toThrow('the disk is full');
    expect(lane.seen).toBe(-1);

    documents.commit = commit;
    await lane.apply(happened, 1);
    expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 7 });
  });

  describe('that is ahead of its commits', () => {
    /** Documents whose commits come to nothing until they are let through. */
    async function slow() {
      const documents = await declared();
      const { commit } = documents;
      const under: { pass(): void; fail(error: Error): void }[] = [];
      documents.commit = async writes => {
        await new Promise<void>((pass, fail) => under.push({ pass, fail }));
        await commit.call(documents, writes);
      };
      return { documents, under, lane: await open(documents) };
    }
    const happened = events(paid('a', 5), paid('a', 3), closed('a'), paid('a', 1));

    it('folds into what a commit that is under way will store', async () => {
      const { documents, under, lane } = await slow();
      await lane.apply(happened.slice(0, 1), 0, { ahead: true });
      expect(lane).toMatchObject({ seen: 0, flushed: false });

      const second = lane.apply(happened.slice(1, 2), 1, { ahead: true });
      under[0]!.pass();
      await second;
      expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 5 });

      const flushed = lane.flush();
      under[1]!.pass();
      await flushed;
      expect(lane).toMatchObject({ seen: 1, flushed: true });
      expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 8, _seen: 1 });
      expect(await documents.checkpoint('ledger@1')).toEqual({ position: 1 });
    });

    it('begins from nothing after what a commit under way deletes', async () => {
      const { documents, under, lane } = await slow();
      await lane.apply(happened.slice(0, 2), 1, { ahead: true });
      const deleted = lane.apply(happened.slice(2, 3), 2, { ahead: true });
      under[0]!.pass();
      await deleted;
      const again = lane.apply(happened.slice(3), 3, { ahead: true });
      under[1]!.pass();
      await again;
      under[2]!.pass();
      await lane.flush();
      expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 1, _seen: 3 });
    });

    it('learns of a commit that failed at the next one, and goes back to the checkpoint', async () => {
      const { documents, under, lane } = await slow();
      await lane.apply(happened.slice(0, 1), 0, { ahead: true });
      const next = lane.apply(happened.slice(1, 2), 1, { ahead: true });
      under[0]!.fail(new Error('the disk is full'));
      await expect(next).rejects.toThrow('the disk is full');
      expect(lane).toMatchObject({ seen: -1, flushed: true });

      await lane.apply(happened.slice(0, 2), 1, { ahead: true });
      under[1]!.pass();
      await lane.flush();
      expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 8 });
    });

    it('never has two commits under way', async () => {
      const { under, lane } = await slow();
      await lane.apply(happened.slice(0, 1), 0, { ahead: true });
      const second = lane.apply(happened.slice(1, 2), 1, { ahead: true });
      await new Promise(setImmediate);
      expect(under).toHaveLength(1);
      under[0]!.pass();
      await second;
      expect(under).toHaveLength(2);
      under[1]!.pass();
      await lane.flush();
    });
  });

  it('folds a document in one go where the projection can, and event by event to find the one at fault', async () => {
    const documents = await declared();
    const foldAll = jest.fn<Document | null, Parameters<NonNullable<typeof ledger.foldAll>>>(
      (document, inputs, key) => inputs.reduce((folded, input) => ledger.fold(folded, input, key), document),
    );
    const lane = await openLane(documents, { ...ledger, foldAll }, 1, LANE, EVENTS);
    const happened = events(paid('a', 5), paid('a', 1), paid('a', 2), poison, paid('a', 2));

    await lane.apply(happened.slice(0, 2), 1);
    expect(foldAll.mock.calls.map(([, inputs]) => inputs.length)).toEqual([2, 2]);
    expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 6, _seen: 1 });

    await expect(lane.apply(happened, 4)).rejects.toThrow(/position 3 /);
    expect(await documents.get('accounts@1', 'a')).toEqual({ _id: 'a', total: 8, _seen: 2 });
    expect(await documents.get('days@1', 'all')).toMatchObject({ events: 3 });
  });

  it('commits what came before an event that cannot be folded, and names the event', async () => {
    const documents = await declared();
    const lane = await open(documents);

    const applied = lane.apply(events(paid('a', 5), paid('a', 1), poison, paid('a', 2)), 3);

    await expect(applied).rejects.toThrow(FoldError);
    await expect(applied).rejects.toThrow(/position 2 \(Poison, account-a revision 2\)/);
    expect(await documents.checkpoint('ledger@1')).toEqual({ position: 1 });
    expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 6 });
    // The day, which is folded before the account throws, has not taken the event in either.
    expect(await documents.get('days@1', 'all')).toMatchObject({ events: 2 });
  });

  it('is refused with all its documents when another writer was faster', async () => {
    const documents = await declared();
    const [one, other] = [await open(documents), await open(documents)];
    const happened = events(paid('a', 5), paid('b', 1));

    await one.apply(happened, 1);
    await expect(other.apply(happened.slice(0, 1), 0, { flush: true })).rejects.toThrow(CheckpointMoved);

    expect(await documents.get('accounts@1', 'b')).toMatchObject({ total: 1 });
    expect(await documents.checkpoint('ledger@1')).toEqual({ position: 1 });
  });

  it('cannot write to a sealed generation, nor be opened on it', async () => {
    const documents = await declared();
    const lane = await open(documents);
    await lane.apply(events(paid('a', 5)), 0);

    const generation = {
      generation: 1,
      version: 1,
      collections: ['accounts', 'days'],
      checkpoints: ['ledger@1'],
    };
    await seal(documents, generation);
    await seal(documents, generation);

    await expect(lane.apply(events(paid('a', 5), paid('a', 1)), 1)).rejects.toThrow(CheckpointMoved);
    await expect(open(documents)).rejects.toThrow(CheckpointMoved);
    expect(await documents.get('accounts@1', 'a')).toMatchObject({ total: 5 });
  });

  it('does not fold a deleted document again from nothing after a crash', async () => {
    const documents = await declared();
    const happened = events(paid('a', 1), paid('a', 1), closed('a'));
    await (await open(documents)).apply(happened.slice(0, 1), 0);

    documents.crashAfter = 3; // all documents, but not the checkpoint
    await expect((await open(documents)).apply(happened, 2)).rejects.toThrow(Crash);
    expect(await documents.get('accounts@1', 'a')).toBeNull();

    await (await open(documents)).apply(happened.slice(0, 2), 1);
    await (await open(documents)).apply(happened, 2);
    expect(await documents.get('accounts@1', 'a')).toBeNull();
  });

  it('comes to the same whatever the batches and wherever it dies', async () => {
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
      fc.record({ size: fc.integer({ min: 1, max: 12 }), writes: fc.nat(6), ahead: fc.boolean() }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(happened, crashes, async (happened, crashes) => {
        const inputs = events(...happened);
        const straight = await declared();
        if (inputs.length > 0) await (await open(straight)).apply(inputs, inputs.length - 1);

        const documents = await declared();
        for (const { size, writes, ahead } of [...crashes, { size: 5, writes: Infinity, ahead: true }]) {
          documents.crashAfter = writes;
          const lane = await open(documents);
          try {
            while (lane.seen < inputs.length - 1) {
              const batch = inputs.slice(lane.seen + 1, lane.seen + 1 + size);
              const hold = ahead && lane.seen % 2 === 0;
              await lane.apply(batch, batch.at(-1)!.position, { flush: !hold, hold, ahead });
            }
            await lane.flush();
          } catch (error) {
            if (!(error instanceof Crash)) throw error;
          }
        }
        expect(await contents(documents)).toEqual(await contents(straight));
      }),
      { numRuns: 500 },
    );
  });
});
