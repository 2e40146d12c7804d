import { isDeepStrictEqual } from 'node:util';
import { createFixture, messagesOf, until } from './fixture';
import { mentioning } from './raw-transactions';

const ALICE = 'Alice';
const BOB = 'Bob';

let fixture: ReturnType<typeof createFixture>;
beforeEach(() => void (fixture = createFixture()));
afterEach(() => fixture.close());

const mine = (slot: number, ...accounts: string[]): void => {
  fixture.chain.add(slot, [mentioning(`s${slot}`, 'Carol', ...accounts)]);
  fixture.chain.finalize(slot);
};
const seen = (account: string): string[] =>
  messagesOf(fixture.log).flatMap(message =>
    message.type === 'transaction' && message.account === account ? [message.signature] : [],
  );
const isBackfilled = (account: string, watch: number): boolean =>
  messagesOf(fixture.log).some(
    message => message.type === 'backfilled' && message.account === account && message.watch === watch,
  );
/** How many parts of the history of the second watch are published. */
const parts = (): number =>
  Math.max(
    0,
    ...messagesOf(fixture.log).map(message =>
      message.type === 'backfilled' && message.account === ALICE && message.watch === 2 ? message.parts : 0,
    ),
  );
const progress = () => fixture.documents.get('indexer_solana_backfills', `solana:mainnet:${ALICE}`);

test('an account is not followed after its watch has expired, and read whole when it is watched again', async () => {
  const { watch, expire } = fixture;
  await watch(ALICE);
  await watch(BOB);
  mine(1, ALICE, BOB);
  const indexer = fixture.start();
  await until(() => isBackfilled(ALICE, 1) && isBackfilled(BOB, 1));
  mine(2, ALICE, BOB);
  await until(() => seen(ALICE).includes('s2'));

  await expire(ALICE);
  await until(async () => (await progress()) === null);
  for (let slot = 3; slot <= 6; slot++) mine(slot, ALICE, BOB);
  await until(() => seen(BOB).includes('s6'));
  expect(seen(ALICE).filter(signature => ['s3', 's4', 's5', 's6'].includes(signature))).toEqual([]);

  await watch(ALICE, 2);
  await until(() => isBackfilled(ALICE, 2));
  mine(7, ALICE);
  await until(() => indexer.status().indexedHeight === 7 && seen(ALICE).includes('s7'));
  expect([...new Set(seen(ALICE))].sort()).toEqual(['s1', 's2', 's3', 's4', 's5', 's6', 's7']);
});

test('an expired watch stays forgotten after a restart', async () => {
  const { watch, expire } = fixture;
  await watch(ALICE);
  await watch(BOB);
  mine(1, ALICE);
  const first = fixture.start();
  await until(() => isBackfilled(ALICE, 1));
  await until(() => first.status().indexedHeight === 1);
  await fixture.stop();
  await expire(ALICE);
  fixture.start();
  await until(async () => (await progress()) === null);
  await fixture.stop();
  mine(2, ALICE, BOB);
  fixture.start();
  await until(() => seen(BOB).includes('s2'));
  expect(seen(ALICE)).not.toContain('s2');
});

test('older parts of a history can be read when the end of an earlier watch is read again, as after a migration', async () => {
  await fixture.close();
  fixture = createFixture({ backfill: { pageSize: 2, partSize: 2 } });
  const { watch, expire, readOlder, store, documents } = fixture;
  for (let slot = 1; slot <= 9; slot++) mine(slot, ALICE);
  await watch(ALICE);
  await expire(ALICE);
  await watch(ALICE, 2);
  fixture.start();
  await until(() => parts() === 1);
  await readOlder(ALICE, 1, 2);
  await until(() => parts() === 2);
  await fixture.stop();

  await documents.commit({ writes: [], checkpoint: { name: 'indexer-solana-watch-mainnet', value: null } });
  const readAll = store.readAll.bind(store);
  store.readAll = async function* (options) {
    for await (const events of readAll(options)) for (const event of events) yield [event];
  };
  fixture.start();
  await until(async () => {
    const checkpoint = await documents.checkpoint('indexer-solana-watch-mainnet');
    return isDeepStrictEqual(checkpoint, { position: await store.head() });
  });
  await readOlder(ALICE, 2, 2);
  await until(() => parts() === 3);
});
