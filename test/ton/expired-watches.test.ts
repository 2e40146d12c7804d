import { Indexing } from './indexing';
import { accountAt, ScriptedChain } from './scripted-chain';
import { BACKFILLS } from '../../indexers/ton/backfill/progress';
import { ACCOUNT_HEADS } from '../../indexers/ton/account-heads';
import { ACCOUNT_STARTS } from '../../indexers/ton/watched-accounts';

const [A, B] = [accountAt(1), accountAt(2)] as const;

let chain: ScriptedChain;
let indexing: Indexing;
afterEach(() => indexing.stop());

const mine = async (): Promise<void> => {
  chain.mine({ accounts: [A, B] });
  await indexing.untilAt(chain.tip);
};

async function followed(scope: 'watched' | 'all' = 'watched'): Promise<void> {
  chain = new ScriptedChain();
  indexing = new Indexing(chain, { scope });
  await indexing.watch(A);
  await indexing.watch(B);
  void indexing.start();
  await indexing.untilFollowed(A);
  await indexing.backfill();
  await mine();
}

/** What the indexer stores of the account. */
const stored = async (collections: readonly { readonly name: string }[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const { name } of collections)
    if (await indexing.documents.get(name, `ton:mainnet:${A}`)) found.push(name);
  return found;
};

it('is not followed, and leaves nothing with the indexer', async () => {
  await followed();
  expect(await stored([ACCOUNT_STARTS, ACCOUNT_HEADS, BACKFILLS])).toHaveLength(3);
  await indexing.expire(A);
  await indexing.until(async () => (await stored([ACCOUNT_STARTS])).length === 0);
  const before = indexing.published(A);
  await mine();
  await mine();
  expect(indexing.published(A)).toEqual(before);
  expect(indexing.published(B)).toEqual(chain.ltsOf(B));
  expect(await stored([ACCOUNT_STARTS, ACCOUNT_HEADS, BACKFILLS])).toEqual([]);
});

it('is read whole when it is watched again', async () => {
  await followed();
  await indexing.expire(A);
  await indexing.until(async () => (await stored([ACCOUNT_STARTS])).length === 0);
  await mine();
  await indexing.watch(A, 2);
  await indexing.untilFollowed(A);
  await mine();
  await indexing.backfill();
  expect(new Set(indexing.published(A))).toEqual(new Set(chain.ltsOf(A)));
  expect(indexing.messages).toContainEqual(
    expect.objectContaining({ type: 'backfilled', account: A, watch: 2 }),
  );
});

it('is forgotten also while the tail is stopped, and stays forgotten', async () => {
  await followed();
  await indexing.stop();
  await indexing.expire(A);
  void indexing.start();
  await indexing.until(async () => (await stored([ACCOUNT_STARTS])).length === 0);
  await indexing.stop();
  void indexing.start();
  const before = indexing.published(A);
  await mine();
  expect(indexing.published(A)).toEqual(before);
});

it('ends the backfill that still runs for it', async () => {
  await followed();
  await indexing.expire(A);
  await indexing.until(async () => (await stored([ACCOUNT_STARTS])).length === 0);
  // Would wait for the tail to follow the account for ever.
  await indexing.backfill();
  expect(await stored([BACKFILLS])).toEqual([]);
});

it('is still published where the whole network is followed', async () => {
  await followed('all');
  await indexing.expire(A);
  await indexing.until(async () => (await stored([ACCOUNT_STARTS])).length === 0);
  await mine();
  expect(indexing.published(A)).toEqual(chain.ltsOf(A));
});

it('stays followed when the end of an earlier watch is read again, as after a migration', async () => {
  await followed();
  await indexing.expire(A);
  await indexing.until(async () => (await stored([ACCOUNT_STARTS])).length === 0);
  await indexing.watch(A, 2);
  await indexing.untilFollowed(A);
  await mine();
  await indexing.backfill();
  await indexing.stop();

  const name = 'indexer-ton-watch-mainnet';
  await indexing.documents.commit({ writes: [], checkpoint: { name, value: null } });
  const { store } = indexing;
  const subscribe = store.subscribe.bind(store);
  let batches = 0;
  store.subscribe = async function* (options) {
    for await (const batch of subscribe({ ...options, batchSize: 1 })) {
      yield batch;
      await mine();
      batches += batch.events.length;
    }
  };
  void indexing.start();
  await indexing.until(() => batches === store.stored.all.length);
  await mine();
  expect(new Set(indexing.published(A))).toEqual(new Set(chain.ltsOf(A)));
});

it('is forgotten also while a block with a transaction of it is read', async () => {
  await followed();
  const { transactions } = indexing.source;
  let isReading = false;
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => (open = resolve));
  indexing.source.transactions = async (...args) => {
    isReading = true;
    await opened;
    return transactions(...args);
  };
  chain.mine({ accounts: [A, B] });
  await indexing.until(() => isReading);
  await indexing.expire(A);
  await indexing.until(async () => (await stored([ACCOUNT_STARTS])).length === 0);
  open();
  await indexing.untilAt(chain.tip);
  expect(await stored([ACCOUNT_HEADS])).toEqual([]);
  const before = indexing.published(A);
  await mine();
  expect(indexing.published(A)).toEqual(before);
  expect(indexing.published(B)).toEqual(chain.ltsOf(B));
});
