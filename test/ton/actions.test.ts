import type { Address } from '@ton/core';
import {
  beginCell,
  Cell,
  comment,
  contractAddress,
  internal,
  storeMessageRelaxed,
  toNano,
  type MessageRelaxed,
} from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import request from 'supertest';
import { JETTON_OP } from '../../contracts/chain/ton-jetton';
import type { HttpTonAction } from '../../contracts/http/history/actions';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import {
  jettonBurnBody,
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from '../../infra/devnet/ton/jetton/jetton';
import { transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { until } from '../until';
import type { LocalNetwork } from './network';
import { addressOf, friendly, startTestnet } from './testnet';

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;

interface Page {
  actions: HttpTonAction[];
  cursor: string | null;
  complete: boolean;
}

async function actionsOf(wallet: LocalWallet, query = ''): Promise<Page> {
  const { body } = await request(network.app)
    .get(`/actions/${addressOf(wallet)}?limit=100${query}`)
    .expect(200);
  return body as Page;
}

async function state(address: Address) {
  const { last } = await client.getLastBlock();
  return (await client.getAccountLite(last.seqno, address)).account;
}

const balanceOf = async (address: Address): Promise<bigint> => BigInt((await state(address)).balance.coins);

/** The actions of a wallet, newest first, once they include its newest transaction, and what became of it. */
async function finalActions(wallet: LocalWallet): Promise<HttpTonAction[]> {
  const newest = (await state(wallet.contract.address)).last!.lt;
  const { actions } = await until(
    () => actionsOf(wallet),
    page =>
      page.complete &&
      page.actions.every(({ status }) => status !== 'pending') &&
      page.actions.some(({ lt, members }) => lt === newest || members.some(member => member.lt === newest)),
  );
  return actions;
}

/** The action that a request becomes, and by how much it changed the balance of the owner. */
async function act(...messages: MessageRelaxed[]): Promise<{ action: HttpTonAction; spent: bigint }> {
  const { address } = alice.contract;
  const before = await balanceOf(address);
  const known = (await finalActions(alice)).length;
  await transfer(client, alice, messages);
  const actions = await finalActions(alice);
  expect(actions).toHaveLength(known + 1);
  return { action: actions[0]!, spent: before - (await balanceOf(address)) };
}

async function row(lt: string): Promise<StoredTransaction> {
  const { body } = await request(network.app)
    .get(`/transactions/${addressOf(alice)}?lt=${lt}&limit=1`)
    .expect(200);
  return (body as { transactions: StoredTransaction[] }).transactions[0]!;
}

/** A contract of this code, deployed or not. */
const contractOf = (code: Cell): { address: Address; init: { code: Cell; data: Cell } } => {
  const init = { code, data: Cell.EMPTY };
  return { address: contractAddress(0, init), init };
};
/** Accepts everything. */
const vault = contractOf(Cell.EMPTY);
/** DROP LDREF DROP 3 PUSHINT SENDRAWMSG: sends the message that a received one has in its first reference. */
const exchange = contractOf(beginCell().storeUint(0x30d43073fb00n, 48).endCell());

const ordering = (message: MessageRelaxed): Cell =>
  beginCell()
    .storeRef(beginCell().store(storeMessageRelaxed(message)).endCell())
    .endCell();

const metadata = (symbol: string) => ({ name: symbol, symbol, decimals: 9, description: '', image: '' });
const VALUE = toNano('0.2');
const TON = { type: 'ton' };
const jetton = (master: Address) => ({ type: 'jetton', master: friendly(master) });

let gold: ReturnType<typeof jettonMaster>;
let silver: ReturnType<typeof jettonMaster>;
const goldOf = (owner: Address): Address => jettonWalletAddress(gold.address, owner);

const mint = (master: ReturnType<typeof jettonMaster>, to: Address, amount: bigint): MessageRelaxed =>
  internal({
    to: master.address,
    value: VALUE,
    init: master.init,
    body: mintBody({ to, amount, value: toNano('0.1') }),
  });

const sendGold = (amount: bigint, to: Address): MessageRelaxed =>
  internal({
    to: goldOf(alice.contract.address),
    value: VALUE,
    body: jettonTransferBody({
      to,
      amount,
      response: alice.contract.address,
      forwardValue: toNano('0.01'),
      comment: 'gold for you',
    }),
  });

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({
    watched: true,
    pools: [vault, exchange].map(({ address }) => address.toRawString()),
  }));
  gold = jettonMaster(alice.contract.address, metadata('GOLD'));
  silver = jettonMaster(alice.contract.address, metadata('SILVER'));
});
afterAll(() => network.close());

describe('GET /actions/{address}', () => {
  it('shows a transfer of TON, on both sides', async () => {
    const { action, spent } = await act(
      internal({ to: bob.contract.address, value: toNano('1.5'), bounce: false, body: comment('rent') }),
    );
    const expected = {
      kind: 'ton_transfer',
      status: 'success',
      sender: addressOf(alice),
      receiver: addressOf(bob),
      asset: TON,
      amount: toNano('1.5').toString(),
      received: null,
      comment: 'rent',
      forwarded: '0',
    };
    expect(action).toMatchObject({ ...expected, parts: [expected], members: [] });
    expect(spent).toBe(toNano('1.5') + BigInt(action.fee));
    const [received] = await finalActions(bob);
    expect(received).toMatchObject({ ...expected, members: [] });
  });

  it('shows a transfer that came back as one failed action', async () => {
    const nowhere = contractOf(comment('nobody deployed this'));
    const { action, spent } = await act(
      internal({ to: nowhere.address, value: toNano('0.5'), bounce: true, body: comment('hello') }),
    );
    expect(action).toMatchObject({
      kind: 'ton_transfer',
      status: 'failed',
      receiver: friendly(nowhere.address),
      amount: toNano('0.5').toString(),
      comment: 'hello',
      members: [{ lt: expect.any(String) }],
    });
    expect(spent).toBe(BigInt(action.fee));
    expect((await row(action.lt)).parsed.status).toBe('failed');
    expect((await row(action.members[0]!.lt)).parsed).toMatchObject({ kind: 'in', bounced: true });
  });

  it('shows a transfer that was not sent what was intended', async () => {
    const { action, spent } = await act(
      internal({ to: bob.contract.address, value: toNano(900), bounce: false, body: comment('a house') }),
    );
    expect(action).toMatchObject({
      kind: 'ton_transfer',
      status: 'failed',
      receiver: addressOf(bob),
      asset: TON,
      amount: toNano(900).toString(),
      comment: 'a house',
    });
    expect(spent).toBe(BigInt(action.fee));
  });

  it('does not take a notification of anybody for tokens', async () => {
    const forged = beginCell()
      .storeUint(JETTON_OP.transferNotification, 32)
      .storeUint(0, 64)
      .storeCoins(1_000_000n)
      .storeAddress(alice.contract.address)
      .storeMaybeRef(null)
      .endCell();
    await act(internal({ to: bob.contract.address, value: 5n, bounce: false, body: forged }));
    expect((await finalActions(bob))[0]).toMatchObject({
      kind: 'call_contract',
      sender: addressOf(alice),
      asset: TON,
      amount: '5',
    });
  });

  it('shows a deployment', async () => {
    const { action, spent } = await act(internal({ to: vault.address, value: VALUE, init: vault.init }));
    expect(action).toMatchObject({
      kind: 'contract_deploy',
      status: 'success',
      receiver: friendly(vault.address),
      asset: TON,
      amount: VALUE.toString(),
    });
    expect(spent).toBe(VALUE + BigInt(action.fee));
  });

  it('shows a mint', async () => {
    const { action, spent } = await act(mint(gold, alice.contract.address, 1_000n));
    expect(action).toMatchObject({
      kind: 'jetton_mint',
      status: 'success',
      receiver: addressOf(alice),
      asset: jetton(gold.address),
      amount: '1000',
    });
    expect(spent).toBe(BigInt(action.fee));
  });

  it('shows a transfer of jettons with what reached its receiver', async () => {
    const { action, spent } = await act(sendGold(250n, bob.contract.address));
    const expected = {
      kind: 'jetton_transfer',
      status: 'success',
      sender: addressOf(alice),
      receiver: addressOf(bob),
      asset: jetton(gold.address),
      amount: '250',
      comment: 'gold for you',
    };
    expect(action).toMatchObject({ ...expected, forwarded: toNano('0.01').toString() });
    expect(action.members).toHaveLength(1);
    expect(spent).toBe(BigInt(action.fee) + BigInt(action.forwarded));
    expect((await finalActions(bob))[0]).toMatchObject({ ...expected, forwarded: '0', members: [] });
  });

  it('shows a burn', async () => {
    const { action, spent } = await act(
      internal({
        to: goldOf(alice.contract.address),
        value: VALUE,
        body: jettonBurnBody({ amount: 50n, response: alice.contract.address }),
      }),
    );
    expect(action).toMatchObject({
      kind: 'jetton_burn',
      status: 'success',
      asset: jetton(gold.address),
      amount: '50',
      members: [{ lt: expect.any(String) }],
    });
    expect(spent).toBe(BigInt(action.fee));
  });

  it('shows stakes that a pool took and refused', async () => {
    const deposit = beginCell().storeUint(0x7bcd1fef, 32).storeUint(0, 64).endCell();
    const stake = (to: Address): MessageRelaxed =>
      internal({ to, value: VALUE, bounce: true, body: deposit });
    const notToAPool = await act(stake(bob.contract.address));
    expect(notToAPool.action).toMatchObject({ kind: 'call_contract' });
    const taken = await act(stake(vault.address));
    expect(taken.action).toMatchObject({
      kind: 'stake_deposit',
      status: 'success',
      receiver: friendly(vault.address),
      amount: VALUE.toString(),
    });
    expect(taken.spent).toBe(VALUE + BigInt(taken.action.fee));
    const refused = await act(stake(exchange.address));
    expect(refused.action).toMatchObject({
      kind: 'stake_deposit',
      status: 'failed',
      amount: VALUE.toString(),
    });
    expect(refused.spent).toBe(BigInt(refused.action.fee));
  });

  it('shows an exchange of jettons', async () => {
    await act(mint(silver, exchange.address, 500n));
    const greeting = internal({ to: alice.contract.address, value: 1n, bounce: false });
    await act(
      internal({ to: exchange.address, value: VALUE, init: exchange.init, body: ordering(greeting) }),
    );
    const answer = internal({
      to: jettonWalletAddress(silver.address, exchange.address),
      value: toNano('0.2'),
      body: jettonTransferBody({
        to: alice.contract.address,
        amount: 70n,
        response: alice.contract.address,
        forwardValue: toNano('0.01'),
      }),
    });
    const order = beginCell()
      .storeUint(JETTON_OP.transfer, 32)
      .storeUint(0, 64)
      .storeCoins(100n)
      .storeAddress(exchange.address)
      .storeAddress(alice.contract.address)
      .storeMaybeRef(null)
      .storeCoins(toNano('0.3'))
      .storeBit(true)
      .storeSlice(ordering(answer).beginParse())
      .endCell();
    const { action, spent } = await act(
      internal({ to: goldOf(alice.contract.address), value: toNano('0.5'), body: order }),
    );
    expect(action).toMatchObject({
      kind: 'jetton_swap',
      status: 'success',
      sender: addressOf(alice),
      receiver: friendly(exchange.address),
      asset: jetton(gold.address),
      amount: '100',
      received: { asset: jetton(silver.address), amount: '70' },
    });
    expect(action.members.length).toBeGreaterThan(1);
    expect(spent).toBe(BigInt(action.fee));
  });

  it('shows each of several requests', async () => {
    const pay = (amount: bigint): MessageRelaxed =>
      internal({ to: bob.contract.address, value: amount, bounce: false });
    const { action, spent } = await act(pay(1_000n), pay(2_000n), sendGold(1n, bob.contract.address));
    expect(action).toMatchObject({ kind: 'batch', status: 'success', asset: null, amount: null });
    expect(action.parts).toMatchObject([
      { kind: 'ton_transfer', amount: '1000' },
      { kind: 'ton_transfer', amount: '2000' },
      { kind: 'jetton_transfer', amount: '1', asset: jetton(gold.address) },
    ]);
    expect(spent).toBe(3_000n + BigInt(action.forwarded) + BigInt(action.fee));
  });

  it('pages by a cursor, and ends at an instant', async () => {
    const all = await finalActions(alice);
    const seen: HttpTonAction[] = [];
    let cursor: string | null = null;
    do {
      const path = `/actions/${addressOf(alice)}?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { body } = await request(network.app).get(path).expect(200);
      const page = body as Page;
      seen.push(...page.actions);
      ({ cursor } = page);
    } while (cursor !== null);
    expect(seen).toEqual(all);
    const since = all[4]!.time;
    const { actions } = await actionsOf(alice, `&since=${since}`);
    expect(actions).toEqual(all.filter(({ time }) => time >= since));
  });

  it.each([
    ['cursor=-1', '/query/cursor'],
    ['cursor=5_abc', '/query/cursor'],
    ['cursor=999999999999999999999', '/query/cursor'],
    ['since=yesterday', '/query/since'],
    ['limit=0', '/query/limit'],
    ['limit=101', '/query/limit'],
    ['network=devnet', '/query/network'],
  ])('refuses %s, naming the field', async (query, pointer) => {
    const { body } = await request(network.app)
      .get(`/actions/${addressOf(alice)}?${query}`)
      .expect(400);
    expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it('fails a transfer of jettons that the wallet of the receiver refuses, although the own one sent them', async () => {
    await act(
      ...[gold.address, goldOf(alice.contract.address)].map(to => internal({ to, value: toNano(2) })),
    );
    // The storage of the receiver's wallet is not paid for: it is frozen.
    await network.devnet.advanceTime(60 * 365 * 86_400);
    const { action, spent } = await act(sendGold(7n, bob.contract.address));
    expect(action).toMatchObject({
      kind: 'jetton_transfer',
      status: 'failed',
      receiver: addressOf(bob),
      asset: jetton(gold.address),
      amount: '7',
      comment: 'gold for you',
    });
    expect(spent).toBe(BigInt(action.fee));
    const sent = await row(action.lt);
    expect(sent.parsed.status).toBe('failed');
    const { body } = await request(network.app)
      .post('/ton/transactions/status/testnet')
      .send({ txHash: sent.hash })
      .expect(200);
    expect(body).toMatchObject({ found: true, inProgress: false, success: false, lt: sent.lt });
  });
});
