import { type Address, type Cell, type Transaction, internal, toNano } from '@ton/core';
import { JettonMaster, JettonWallet, type TonClient4 } from '@ton/ton';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../../test/devnet/ton';
import type { TonDevnet } from '../devnet';
import { type LocalWallet, localWallet, transfer } from '../wallets';
import {
  type JettonMetadata,
  changeAdminBody,
  jettonBurnBody,
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from './jetton';

const METADATA: JettonMetadata = {
  name: 'Test Jetton',
  symbol: 'TEST',
  decimals: 9,
  description:
    'A description that is longer than one cell can hold, so that it continues in another one, '.repeat(3),
  image: 'https://tidemark.local/test.png',
};
let devnet: TonDevnet;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let master: ReturnType<typeof jettonMaster>;

const addressOf = ({ contract }: LocalWallet): Address => contract.address;
const walletOf = (owner: LocalWallet): Address => jettonWalletAddress(master.address, addressOf(owner));
const jettons = (owner: LocalWallet): Promise<bigint> =>
  client.open(JettonWallet.create(walletOf(owner))).getBalance();

async function newest(address: Address, count: number): Promise<Transaction[]> {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, address);
  const { lt, hash } = account.last!;
  const page = await client.getAccountTransactions(address, BigInt(lt), Buffer.from(hash, 'base64'));
  return page.slice(0, count).map(({ tx }) => tx);
}

beforeAll(async () => {
  devnet = await quietDevnet({ network: 'mainnet' });
  client = clientOf(devnet.url);
  alice = localWallet('alice', 'v5r1', 'mainnet');
  bob = localWallet('bob', 'v4r2', 'mainnet');
  master = jettonMaster(addressOf(alice), METADATA);
  for (const wallet of [alice, bob]) await devnet.faucet(addressOf(wallet).toString(), toNano(10));
  await transfer(client, alice, [
    internal({
      to: master.address,
      value: toNano('0.2'),
      init: master.init,
      body: mintBody({ to: addressOf(alice), amount: 1_000n, value: toNano('0.1') }),
    }),
  ]);
});
afterAll(() => devnet.close());

it('is read by the unmodified JettonMaster and JettonWallet', async () => {
  const opened = client.open(JettonMaster.create(master.address));
  const data = await opened.getJettonData();
  expect(data).toMatchObject({ totalSupply: 1_000n, mintable: true });
  expect(data.adminAddress.toString()).toBe(addressOf(alice).toString());
  expect((await opened.getWalletAddress(addressOf(bob))).toString()).toBe(walletOf(bob).toString());
  expect(await jettons(alice)).toBe(1_000n);
});

it('is transferred with a comment, and the rest of the coins is returned', async () => {
  const coins = toNano('0.1');
  await transfer(client, alice, [
    internal({
      to: walletOf(alice),
      value: coins,
      body: jettonTransferBody({
        to: addressOf(bob),
        amount: 300n,
        response: addressOf(alice),
        forwardValue: toNano('0.01'),
        comment: 'for bob',
        queryId: 42n,
      }),
    }),
  ]);
  expect([await jettons(alice), await jettons(bob)]).toEqual([700n, 300n]);

  const [notified] = await newest(addressOf(bob), 1);
  const notification = notified!.inMessage!.body.beginParse();
  expect(notification.loadUint(32)).toBe(0x7362d09c);
  expect([notification.loadUint(64), notification.loadCoins()]).toEqual([42, 300n]);
  expect(notification.loadAddress().toString()).toBe(addressOf(alice).toString());
  const comment = notification.loadBit() ? notification.loadRef().beginParse() : notification;
  expect([comment.loadUint(32), comment.loadStringTail()]).toEqual([0, 'for bob']);

  const [returned] = await newest(addressOf(alice), 1);
  expect(returned!.inMessage!.body.beginParse().loadUint(32)).toBe(0xd53276db);
  const { info } = returned!.inMessage!;
  expect(info.type === 'internal' && info.value.coins).toBeGreaterThan(toNano('0.03'));
});

it('is not transferred without enough jettons or coins, or by another account', async () => {
  const order = (amount: bigint): ReturnType<typeof jettonTransferBody> =>
    jettonTransferBody({ to: addressOf(bob), amount, response: addressOf(alice), forwardValue: 0n });
  const attempt = async (from: LocalWallet, value: string, amount: bigint): Promise<number> => {
    await transfer(client, from, [
      internal({ to: walletOf(alice), value: toNano(value), body: order(amount) }),
    ]);
    const [{ description }] = (await newest(walletOf(alice), 1)) as [Transaction];
    if (description.type !== 'generic' || description.computePhase.type !== 'vm') throw new Error('not run');
    return description.computePhase.exitCode;
  };
  expect(await attempt(alice, '0.1', 701n)).toBe(706);
  expect(await attempt(alice, '0.02', 1n)).toBe(709);
  expect(await attempt(bob, '0.1', 1n)).toBe(705);
  expect([await jettons(alice), await jettons(bob)]).toEqual([700n, 300n]);
});

it('is burnt by its owner', async () => {
  await transfer(client, bob, [
    internal({
      to: walletOf(bob),
      value: toNano('0.1'),
      body: jettonBurnBody({ amount: 100n, response: addressOf(bob) }),
    }),
  ]);
  expect(await jettons(bob)).toBe(200n);
  const { totalSupply } = await client.open(JettonMaster.create(master.address)).getJettonData();
  expect(totalSupply).toBe(900n);
  await expectUnbrokenChains(client);
});

it('becomes ownerless when its admin gives it up, and nobody can mint any more', async () => {
  const send = (from: LocalWallet, body: Cell): Promise<void> =>
    transfer(client, from, [internal({ to: master.address, value: toNano('0.2'), body })]);
  const mint = mintBody({ to: addressOf(bob), amount: 1n, value: toNano('0.1') });
  await send(bob, changeAdminBody(addressOf(bob)));
  await send(alice, changeAdminBody(null));
  await send(alice, mint);
  const { reader } = await client.runMethod(
    (await client.getLastBlock()).last.seqno,
    master.address,
    'get_jetton_data',
  );
  expect([reader.readBigNumber(), reader.readBoolean(), reader.readAddressOpt()]).toEqual([
    900n,
    false,
    null,
  ]);
  const exits = (await newest(master.address, 3)).map(({ description }) =>
    description.type === 'generic' && description.computePhase.type === 'vm'
      ? description.computePhase.exitCode
      : null,
  );
  expect(exits).toEqual([73, 0, 73]);
});
