import { comment, internal, toNano } from '@ton/core';
import request from 'supertest';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import type { AccountRef } from '../../contracts/network/network';
import { historyRemovalOf } from '../../infra/program/features/watch';
import { localWallet, transfer } from '../../infra/devnet/ton/wallets';
import { removeDueHistories } from '../../services/watch/keep-removing-histories';
import { forget } from '../doubles/watched-accounts';
import { until } from '../until';
import { addressOf, rawOf, startTestnet, type Testnet } from './testnet';
import { WATCH_TIMES } from './network';

const DAY_MS = 86_400_000;
/** Of the clock of the program. */
let aheadMs = 0;
const clock = (): Date => new Date(Date.now() + aheadMs);

let testnet: Testnet;
beforeAll(async () => void (testnet = await startTestnet({ watched: false, clock })));
afterAll(() => testnet.network.close());

it('a history that was removed is read again from the node when somebody reads the account, whole and the same', async () => {
  const { network, client, alice } = testnet;
  const carol = localWallet('carol', 'v5r1', 'testnet');
  const account: AccountRef = { chain: 'ton', network: 'testnet', address: rawOf(carol) };
  const gift = () =>
    transfer(client, alice, [
      internal({ to: carol.contract.address, value: toNano('0.1'), bounce: false, body: comment('gift') }),
    ]);
  const history = async (): Promise<StoredTransaction[]> => {
    const { body } = await request(network.app)
      .get(`/transactions/${addressOf(carol)}`)
      .expect(200);
    return (body as { transactions: StoredTransaction[] }).transactions;
  };
  for (let n = 0; n < 3; n++) await gift();
  const before = await history();
  expect(before).toHaveLength(3);

  aheadMs += WATCH_TIMES.expireAfterMs;
  await forget(network.engines, account, clock());
  await gift();
  aheadMs += 90 * DAY_MS;
  const removal = { ...historyRemovalOf(network.deps)!, worker: 'test' };
  expect(await removeDueHistories(removal, network.deps.signal)).toBe(true);
  expect(await network.transactions.account('testnet', account.address)).toBeNull();
  expect((await network.transactions.page('testnet', account.address, { limit: 10 })).transactions).toEqual(
    [],
  );

  const [newest, ...older] = await history();
  expect(older).toEqual(before);
  expect(newest!.prevTransaction.lt).toBe(before[0]!.lt);
  expect(older.at(-1)!.prevTransaction.lt).toBe('0');
  await gift();
  await until(async () => (await history()).length === 5);
  for (const projection of ['ton-transactions', 'ton-messages', 'ton-traces', 'ton-jettons', 'ton-nfts']) {
    const { comparison } = await network.deps.engine.rebuild(projection, network.deps);
    expect(comparison).toMatchObject({ different: 0, inconclusive: 0 });
  }
});
