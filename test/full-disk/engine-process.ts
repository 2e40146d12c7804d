import { randomUUID } from 'node:crypto';
import { EngineUnavailable, type EngineName } from '../../contracts/engine/engine-unavailable';
import { claimDataDir } from '../../infra/engines/data-dir-claim';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { openSqliteMailbox } from '../../infra/engines/mailbox/sqlite/sqlite-mailbox';

/*
 * One embedded engine in a process of its own, whose files can be limited without effect on other processes. Its parent
 * sends commands; it answers each with the outcome.
 */

/** The operations of an engine that the tests need. */
interface Engine {
  write(text: string): Promise<unknown>;
  /** All texts written, in order. */
  read(): Promise<string[]>;
  close(): Promise<void>;
}

/** More than the free space that a write-ahead log may have. */
const LONG = 'x'.repeat(100_000);
const short = (text: string): string => text.split(LONG)[0]!;

const writes = (...documents: string[]) =>
  documents.map(id => ({ collection: 'things', id, document: { _id: id, text: LONG } }));

const engines: Record<EngineName | 'documents, writer thread', (path: string) => Promise<Engine>> = {
  'event store': async path => {
    const store = openSqliteEventStore({ path });
    return {
      write: text =>
        store.append('s-1', 'any', [
          { id: randomUUID(), type: 'T', data: { text: text + LONG }, metadata: {} },
        ]),
      async read() {
        const texts: string[] = [];
        for await (const { data } of store.readStream('s-1')) texts.push(short(String(data['text'])));
        return texts;
      },
      close: store.close,
    };
  },
  log: async path => {
    const log = openSqliteLog({ path });
    await log.declare([{ name: 't', partitions: 1, cleanup: 'delete' }]);
    return {
      write: text => log.publish('t', [{ key: 'k', value: Buffer.from(text + LONG) }]),
      async read() {
        const texts: string[] = [];
        for await (const { messages } of log.read({ topic: 't', partition: 0, from: 0, follow: false }))
          texts.push(...messages.map(({ value }) => short(value.toString())));
        return texts;
      },
      close: log.close,
    };
  },
  documents: async path => {
    const documents = openSqliteDocuments({ path });
    await documents.declare([{ name: 'things', indexes: [], counts: [[]] }]);
    return {
      write: text => documents.commit({ writes: writes(text) }),
      async read() {
        const page = await documents.find('things', { limit: 100 });
        if ((await documents.count('things')) !== page.documents.length)
          throw new Error('the count differs from the number of documents');
        return page.documents.map(({ _id }) => _id);
      },
      close: documents.close,
    };
  },
  'documents, writer thread': async path => {
    const documents = openSqliteDocuments({ path });
    await documents.declare([{ name: 'things', indexes: [] }]);
    const name = 'all';
    return {
      // Enough for the writer thread.
      write: text =>
        documents.commit({
          writes: writes(...Array.from({ length: 1_000 }, (_, n) => `${n}`)).map(write => ({
            ...write,
            document: { ...write.document, text: text.repeat(1_000) },
          })),
          checkpoint: { name, value: { offsets: { [text]: 1 } } },
        }),
      async read() {
        const last = await documents.checkpoint(name);
        const { text } = (await documents.get('things', '999'))!;
        if (!last || !('offsets' in last) || String(text).charAt(0) !== Object.keys(last.offsets).join())
          throw new Error('the checkpoint does not match the documents');
        return ['a', 'b', 'd'].slice(0, ['a', 'b', 'd'].indexOf(String(text).charAt(0)) + 1);
      },
      close: documents.close,
    };
  },
  jobs: async path => {
    const jobs = openSqliteJobs({ path });
    return {
      write: text => jobs.add({ queue: 'q', id: text, data: { LONG } }),
      async read() {
        const { waiting } = await jobs.counts('q');
        return Array.from({ length: waiting }, (_, n) => ['a', 'b', 'd'][n]!);
      },
      close: jobs.close,
    };
  },
  mailbox: async path => {
    const mailbox = openSqliteMailbox({ path });
    return {
      write: text => mailbox.post({ from: 'ann', to: 'bob', body: text + LONG, headers: {}, ttlMs: 60_000 }),
      async read() {
        const texts: string[] = [];
        for (let after = 0; ;) {
          // A page ends once it has many bytes.
          const page = await mailbox.read({ to: ['bob'], after, limit: 10 });
          if (page.length === 0) return texts;
          texts.push(...page.map(({ body }) => short(body)));
          after = page.at(-1)!.id;
        }
      },
      close: mailbox.close,
    };
  },
};

/** The result of a command, as a message between processes. */
export type Outcome = { readonly result: unknown } | { readonly error: string; readonly engine?: EngineName };

export type Command = 'read' | 'close' | { readonly write: string } | { readonly claim: string };

const [, , name, path] = process.argv as [string, string, keyof typeof engines, string];
const opening = engines[name](path);

async function execute(order: Command): Promise<unknown> {
  const engine = await opening;
  if (order === 'read') return engine.read();
  if (order === 'close') return engine.close();
  if ('write' in order) return void (await engine.write(order.write));
  claimDataDir(order.claim)();
}

process.on('message', (order: Command) => {
  void execute(order)
    .then(
      (result): Outcome => ({ result: result ?? null }),
      (error: Error): Outcome => ({
        error: error.message,
        ...(error instanceof EngineUnavailable && { engine: error.engine }),
      }),
    )
    .then(outcome => process.send!(outcome, () => order === 'close' && process.disconnect()));
});
