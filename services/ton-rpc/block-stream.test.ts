import { EventEmitter, once } from 'node:events';
import { pino } from 'pino';
import { JsonText } from '../../contracts/json/json-text';
import { until } from '../../test/until';
import { createBlockStream, type BlockFrames, type BlockWatcher } from './block-stream';
import type { Gateway } from './gateway';

const account = (n: number): string => `0:${String(n).padStart(64, '0')}`;

/** A double of a network: every block changes one account twice, and one in another shard. */
function setUp(seqno = 5) {
  const network = { seqno, isAway: false, opened: 0, closed: 0, reads: [] as number[] };
  const blocks = new EventEmitter();
  let replaced = (): void => undefined;
  const transaction = (n: number, lt: number) => ({
    account: account(n),
    lt: String(lt),
    hash: `hash ${lt}`,
  });
  const gateway = {
    async newest() {
      if (network.isAway) throw new Error('away');
      return { block: { last: { seqno: network.seqno }, now: 1_000 + network.seqno } };
    },
    async asOf(at: number) {
      network.reads.push(at);
      const transactions = [transaction(1, 99), transaction(1, 100), transaction(1, 98)];
      return new JsonText(
        JSON.stringify({ block: { shards: [{ transactions }, { transactions: [transaction(at, 7)] }] } }),
      );
    },
  } as unknown as Gateway;
  const stream = createBlockStream({
    gateway,
    nodes: {
      onReplaced: listener => (replaced = listener),
      notifications() {
        network.opened++;
        return {
          waitForBlock: async (_ms, signal) =>
            void (await once(blocks, 'block', { signal }).catch(() => undefined)),
          close: () => void network.closed++,
        };
      },
    },
    logger: pino({ level: 'silent' }),
    now: () => 2_000_500,
  });
  const watch = () => {
    const seen: BlockFrames[] = [];
    const ends: unknown[] = [];
    const watcher: BlockWatcher = {
      onBlock: frames => seen.push(frames),
      onEnd: problem => ends.push(problem),
    };
    return {
      seen,
      ends,
      seqnos: () => seen.map(({ changes }) => changes.seqno),
      stop: stream.watch(watcher),
    };
  };
  const produce = async (count: number): Promise<void> => {
    network.seqno += count;
    await until(() => blocks.listenerCount('block') > 0);
    blocks.emit('block');
  };
  return { network, watch, produce, replace: () => replaced() };
}

it('sends each block once to every watcher, from the newest on, with the newest transaction of each account', async () => {
  const { network, watch, produce } = setUp();
  const first = watch();
  await until(() => first.seen.length === 1);
  const second = watch();
  expect(second.seqnos()).toEqual([5]);
  await produce(3);
  await until(() => first.seen.length === 4 && second.seen.length === 4);
  expect(first.seqnos()).toEqual([5, 6, 7, 8]);
  expect(first.seen).toEqual(second.seen);
  expect(network.reads).toEqual([5, 6, 7, 8]);
  expect(first.seen.at(-1)).toEqual({
    notification: { seqno: 8, time: 1_008, now: 2_000 },
    changes: {
      seqno: 8,
      lastUtime: 1_008,
      changed: {
        [account(1)]: { lt: '100', hash: 'hash 100' },
        [account(8)]: { lt: '7', hash: 'hash 7' },
      },
    },
  });
  // The time of a block that was not the newest one when it was read.
  expect(first.seen.map(({ changes }) => changes.lastUtime)).toEqual([1_005, 1_005, 1_005, 1_008]);
  first.stop();
  second.stop();
});

it('follows the network only while there are watchers', async () => {
  const { network, watch, produce } = setUp();
  const first = watch();
  await until(() => first.seen.length === 1);
  first.stop();
  await until(() => network.closed === 1);
  network.seqno = 50;
  const second = watch();
  await until(() => second.seen.length === 1);
  expect(second.seqnos()).toEqual([50]);
  expect(network).toMatchObject({ opened: 2, closed: 1 });
  await produce(1);
  await until(() => second.seen.length === 2);
  expect(first.seen).toHaveLength(1);
  second.stop();
});

it('leaves nothing out after an outage', async () => {
  const { network, watch, produce } = setUp();
  const watcher = watch();
  await until(() => watcher.seen.length === 1);
  network.isAway = true;
  await produce(4);
  network.isAway = false;
  await until(() => watcher.seen.length === 5);
  expect(watcher.seqnos()).toEqual([5, 6, 7, 8, 9]);
  expect(watcher.ends).toEqual([]);
  watcher.stop();
});

it('ends where it would have to leave blocks out, and where they were replaced', async () => {
  const { watch, produce, replace } = setUp();
  const watcher = watch();
  await until(() => watcher.seen.length === 1);
  await produce(1_500);
  await until(() => watcher.ends.length === 1);
  expect(watcher.ends).toMatchObject([{ code: 'not_ready' }]);
  expect(watcher.seqnos()).toEqual([5]);
  const next = watch();
  await until(() => next.seen.length === 1);
  replace();
  expect(next.ends).toMatchObject([{ code: 'not_ready' }]);
});
