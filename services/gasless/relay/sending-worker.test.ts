import { pino } from 'pino';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { Job, NewJob } from '../../../contracts/ports/jobs';
import type { Handle } from '../../commands/handle';
import type { Relayer } from '../deps';
import { GASLESS_SENDING, sendingJob } from './jobs';
import { workGaslessSending } from './sending-worker';

const { signal } = new AbortController();
const relayer = {
  network: 'testnet',
  key: { publicKey: Buffer.alloc(32, 1), sign: () => Buffer.alloc(64) },
  client: {
    getLastBlock: () => Promise.resolve({ seqno: 1, now: 1 }),
    getAccount: () => Promise.resolve({ balance: 0n, code: null, data: null }),
  },
  minBalance: 0n,
} as unknown as Relayer;

/** A worker whose jobs the test hands out. @param asked before each stream is read */
function worker(asked: () => Promise<void>, of: Relayer | null = relayer) {
  const added: NewJob[] = [];
  const watched: unknown[] = [];
  let handle: (job: Job) => Promise<void> = () => Promise.reject(new Error('not working'));
  void workGaslessSending(
    {
      store: {
        // eslint-disable-next-line require-yield -- no stream has events
        async *readStream(): AsyncGenerator<RecordedEvent> {
          await asked();
        },
      },
      handle: (() => Promise.reject(new Error('nothing is decided'))) as Handle,
      clock: () => new Date(0),
      logger: pino({ level: 'silent' }),
      relayer: () => of,
      watch: account => Promise.resolve(watched.push(account)),
      jobs: {
        add: async job => added.push(job) > 0,
        work: async (_options, handler) => void (handle = handler),
      },
    },
    signal,
  );
  return {
    added,
    watched,
    send(wallet: string, source: string): Promise<void> {
      const { id, data } = sendingJob({ network: 'testnet', wallet, seqno: 0, revision: 0, run: 1, source });
      return handle({ queue: GASLESS_SENDING, id, data, attempt: 1, signal: new AbortController().signal });
    },
  };
}

it('postpones transfers of a caller that has a quarter of the places, and of nobody else', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>(resolve => (answer = resolve));
  const { added, send } = worker(() => answered);
  const sending = Array.from({ length: 60 }, (_, n) => send(`stranger ${n}`, 'stranger'));
  while (added.length < 10) await new Promise(setImmediate);
  sending.push(send('home', 'home'));
  for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
  expect(added).toHaveLength(10);
  expect(added[0]).toMatchObject({ data: { wallet: 'stranger 50', run: 2 }, delayMs: 1_000 });

  answer();
  await Promise.all(sending);
  await send('later', 'stranger');
  expect(added).toHaveLength(10);
});

it('watches the relay wallet before the first message, and not again for each', async () => {
  const { watched, send } = worker(() => Promise.resolve());
  await send('a', 's');
  await send('b', 's');
  expect(watched).toEqual([{ chain: 'ton', network: 'testnet', address: expect.any(String) as string }]);
});

it('keeps a transfer of a network that has no relayer any more', async () => {
  const { added, send } = worker(() => Promise.resolve(), null);
  await send('a', 's');
  expect(added).toMatchObject([{ data: { wallet: 'a', run: 2 }, delayMs: 60_000 }]);
});
