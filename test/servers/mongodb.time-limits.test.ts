import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import type { Documents } from '../../contracts/ports/documents';
import { until } from '../until';
import { commitLog, errorOf, isGreeting, openProxied, type Proxied } from './mongodb/proxied';
import { SPECS } from './mongodb/script';

/**
 * A primary that hangs, or whose disk does, before any transaction of these tests is begun there: each mostly waits for a time
 * limit, and so they run beside each other.
 */

const proxied = (run: (proxied: Proxied) => Promise<void>) => async (): Promise<void> => {
  const opened = await openProxied();
  try {
    await run(opened);
  } finally {
    // What hangs never reaches the server, where others would wait for its transactions.
    await opened.close();
  }
};

test.concurrent(
  'a server that answers greetings alone is reported at the start',
  proxied(async ({ proxy, open }) => {
    proxy.stallOn(data => !isGreeting(data));
    await expect(open()).rejects.toThrow('MONGODB_URL: no writable server answered in time');
  }),
);

test.concurrent(
  'the client of a hanging server can be closed',
  proxied(async ({ proxy, open }) => {
    const documents = await until(() => open());
    proxy.stallOn(data => !isGreeting(data));
    await errorOf(commitLog(documents, '5'));
    await documents.close();
  }),
);

const moveCheckpoint = (documents: Documents, position: number): Promise<void> =>
  documents.commit({ writes: [], checkpoint: { name: 'other', value: { position } } });

type Call = (documents: Documents) => Promise<unknown>;

const read: Call = documents => documents.get('log', '1');

/** A server that answers pings, and whose disk does not answer some commands. */
test.concurrent.each<[what: string, command: string, hanging: Call, answered: Call]>([
  ['reads', 'find', read, documents => moveCheckpoint(documents, 2)],
  ['commits', 'update', documents => moveCheckpoint(documents, 1), read],
])(
  'a disk that answers no %s: they fail at once after a time limit has ended one, others are answered, until it answers',
  (_, command, hanging, answered) =>
    proxied(async ({ proxy, documents }) => {
      proxy.stallOn(data => data.includes(command));
      expect(await errorOf(hanging(documents))).toBeInstanceOf(EngineUnavailable);
      // Each would wait for seconds, longer than the limit of this test.
      for (let n = 0; n < 500; n++)
        expect(await errorOf(hanging(documents))).toBeInstanceOf(EngineUnavailable);
      await until(() => answered(documents).then(() => true));

      proxy.restore();
      await until(() => hanging(documents).then(() => true));
    })(),
);

const IDS = Array.from({ length: 3_001 }, (_, n) => `${n}`);

/** A server that answers, and whose disk does not. */
test.concurrent.each<[what: string, command: string, call: Call]>([
  ['a read of many pages', 'find', documents => documents.getMany('log', IDS)],
  ['a commit', 'startTransaction', documents => commitLog(documents, '5')],
  ['a checkpoint alone', '_checkpoints', documents => moveCheckpoint(documents, 1)],
  ['declaring what is declared', '_catalog', documents => documents.declare(SPECS)],
])('%s, which others may wait for, has the time limit of one read', (_, command, call) =>
  proxied(async ({ proxy, documents }) => {
    proxy.stallOn(data => data.includes(command));
    const error = await errorOf(call(documents));
    expect(error).toBeInstanceOf(EngineUnavailable);
    expect((error as Error).message).toMatch(/did not answer within 4500 ms/);
  })(),
);

test.concurrent(
  'commits that the server does not answer keep no read from being answered, however few connections the URL allows',
  proxied(async ({ proxy, open }) => {
    const documents = await until(() => open('&maxPoolSize=5'));
    proxy.stallOn(data => data.includes('startTransaction'));
    const ids = Array.from({ length: 25 }, (_, n) => `hung-${n}`);
    const hung = await Promise.all(ids.map(id => errorOf(commitLog(documents, id))));
    for (const error of hung) expect((error as Error).message).toMatch(/did not answer within 4500 ms/);
    expect(await documents.get('log', '1')).toEqual({ _id: '1' });
    await documents.close();
  }),
);
