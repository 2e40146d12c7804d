import type { Builder } from '@ton/core';
import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  external,
  internal,
  SendMode,
  storeMessage,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import type { TonClient4, WalletContractV4 } from '@ton/ton';
import request from 'supertest';
import { JETTON_OP } from '../../contracts/chain/ton-jetton';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import {
  jettonBurnBody,
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from '../../infra/devnet/ton/jetton/jetton';
import { localWallet, seqnoOf, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { until } from '../until';
import type { LocalNetwork } from './network';
import { friendly, startTestnet } from './testnet';

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let mallory: LocalWallet;
let master: ReturnType<typeof jettonMaster>;
let jettons: Address;

async function history(account: Address, query = ''): Promise<StoredTransaction[]> {
  const { body } = await request(network.app)
    .get(`/transactions/${friendly(account)}?limit=100${query}`)
    .expect(200);
  return (body as { transactions: StoredTransaction[] }).transactions;
}

/** The history of an account once it has every transaction of its chain. */
async function complete(account: Address): Promise<StoredTransaction[]> {
  const { last } = await client.getLastBlock();
  const state = await client.getAccountLite(last.seqno, account);
  return history(account, `&lt=${state.account.last!.lt}`);
}

const newest = async (account: Address): Promise<StoredTransaction> => (await complete(account))[0]!;

beforeAll(async () => {
  ({ network, client, alice, bob: mallory } = await startTestnet({ watched: true }));
  const owner = alice.contract.address;
  const metadata = { name: 'J', symbol: 'J', decimals: 9, description: '', image: '' };
  master = jettonMaster(owner, metadata);
  jettons = jettonWalletAddress(master.address, owner);
  const body = mintBody({ to: owner, amount: 1_000n, value: toNano('0.1') });
  const mint = { to: master.address, value: toNano('0.2'), init: master.init, body };
  await transfer(client, alice, [internal(mint)]);
});
afterAll(() => network.close());

/** A contract that answers get methods with a stack, and sends the messages that it is given. */
function scripted(pushStack: (code: Builder) => Builder): {
  address: Address;
  init: { code: Cell; data: Cell };
} {
  const answer = pushStack(beginCell()).endCell();
  // LDREF DROP 3 PUSHINT SENDRAWMSG
  const send = beginCell().storeUint(0xd43073fb00n, 40).endCell();
  // PUSHREFCONT answer, PUSHREFCONT send, IFELSE: a get method has a number, an internal message 0
  const code = beginCell()
    .storeUint(0x8a, 8)
    .storeRef(answer)
    .storeUint(0x8a, 8)
    .storeRef(send)
    .storeUint(0xe2, 8)
    .endCell();
  const init = { code, data: beginCell().endCell() };
  return { address: contractAddress(0, init), init };
}

const addressCell = (address: Address): Cell => beginCell().storeAddress(address).endCell();

/** `get_wallet_data` as of a wallet of somebody's: 0, owner, master, code. */
const claiming = (owner: Address, of: Address) =>
  scripted(code =>
    code
      .storeUint(0x708989_88, 32)
      .storeRef(addressCell(owner))
      .storeRef(addressCell(of))
      .storeRef(Cell.EMPTY),
  );

/** Answers with a continuation, which the HTTP API cannot express. */
const unanswerable = scripted(code => code.storeUint(0x90, 8));

const head = (op: number): Builder => beginCell().storeUint(op, 32).storeUint(7, 64);
const amount = 5_000_000n;

describe('a forged jetton message', () => {
  const bob = Address.parseRaw(`0:${'b0'.repeat(32)}`);
  const text = comment('you are rich');
  const notification = (): Cell =>
    head(JETTON_OP.transferNotification).storeCoins(amount).storeAddress(bob).storeMaybeRef(text).endCell();
  const forgeries: [string, () => Cell, string | undefined][] = [
    ['transfer_notification', notification, 'you are rich'],
    [
      'internal_transfer',
      () =>
        head(JETTON_OP.internalTransfer)
          .storeCoins(amount)
          .storeAddress(bob)
          .storeAddress(bob)
          .storeCoins(0)
          .storeMaybeRef(text)
          .endCell(),
      'you are rich',
    ],
    [
      'transfer',
      () =>
        jettonTransferBody({
          to: bob,
          amount,
          response: bob,
          forwardValue: 1n,
          comment: 'you are rich',
        }),
      'you are rich',
    ],
    ['burn', () => jettonBurnBody({ amount, response: bob }), undefined],
    [
      'burn_notification',
      () => head(JETTON_OP.burnNotification).storeCoins(amount).storeAddress(bob).endCell(),
      undefined,
    ],
    ['excesses', () => head(JETTON_OP.excesses).endCell(), undefined],
    [
      'bounce',
      () =>
        beginCell()
          .storeUint(0xffffffff, 32)
          .storeUint(JETTON_OP.transfer, 32)
          .storeUint(7, 64)
          .storeCoins(amount)
          .endCell(),
      undefined,
    ],
  ];

  it.each(forgeries)('%s of anybody moves no token', async (_name, body, text) => {
    const to = alice.contract.address;
    await transfer(client, mallory, [internal({ to, value: toNano('0.01'), bounce: false, body: body() })]);
    const received = await newest(to);
    expect(received.parsed).toMatchObject({
      kind: 'in',
      resolvedAddress: friendly(mallory.contract.address),
    });
    expect(received.operation).toEqual({
      address: friendly(mallory.contract.address),
      items: [{ kind: 'ton', amount: '10000000' }],
      ...(text && { comment: text }),
    });
    const sent = await newest(mallory.contract.address);
    expect(sent.operation.items).toEqual([{ kind: 'ton', amount: '-10000000' }]);
  });

  it.each([
    [
      'a contract that claims to be the wallet of the owner',
      () => claiming(alice.contract.address, master.address),
    ],
    ['a contract that claims a master which does not exist', () => claiming(alice.contract.address, bob)],
    ['a contract whose answer servers cannot send', () => unanswerable],
  ])('of %s moves no token', async (_name, contract) => {
    const { address, init } = contract();
    const to = alice.contract.address;
    const outMessage = internal({ to, value: toNano('0.01'), bounce: false, body: notification() });
    const order = beginCell()
      .storeRef(beginCell().store(storeMessageRelaxed(outMessage)).endCell())
      .endCell();
    await transfer(client, mallory, [internal({ to: address, value: toNano('0.1'), init, body: order })]);
    const received = await newest(to);
    expect(received.operation).toEqual({
      address: friendly(address),
      comment: 'you are rich',
      items: [{ kind: 'ton', amount: '10000000' }],
    });
  });
});

describe('a jetton transfer', () => {
  const order = (amount: bigint): Cell =>
    jettonTransferBody({
      to: mallory.contract.address,
      amount,
      response: alice.contract.address,
      forwardValue: toNano('0.01'),
      comment: 'lunch',
    });

  it('names its master on both sides, and what is left of its coins', async () => {
    await transfer(client, alice, [internal({ to: jettons, value: toNano('0.2'), body: order(250n) })]);
    const token = { kind: 'token', amount: '250', master: friendly(master.address) };
    const [excesses, sent] = await complete(alice.contract.address);
    expect(sent!.operation).toMatchObject({
      address: friendly(mallory.contract.address),
      items: [token, { kind: 'ton', amount: '-200000000' }],
      op: { res: 'tx.tokenTransfer' },
    });
    expect(excesses!.operation).toMatchObject({ op: { res: 'known.cashback' }, items: [{ kind: 'ton' }] });
    expect((await newest(mallory.contract.address)).operation).toEqual({
      address: friendly(alice.contract.address),
      comment: 'lunch',
      items: [token, { kind: 'ton', amount: '10000000' }],
      op: { res: 'known.tokenReceived' },
    });
  });

  it('is verified in the history of an account that nobody watched then', async () => {
    const carol = localWallet('carol', 'v5r1', 'testnet').contract.address;
    const response = alice.contract.address;
    const body = jettonTransferBody({ to: carol, amount: 7n, response, forwardValue: toNano('0.01') });
    await transfer(client, alice, [internal({ to: jettons, value: toNano('0.2'), body })]);
    const [received] = await history(carol);
    expect(received!.operation.items[0]).toEqual({
      kind: 'token',
      amount: '7',
      master: friendly(master.address),
    });
  });

  it('that is refused comes back as one item of TON', async () => {
    await transfer(client, alice, [internal({ to: jettons, value: toNano('0.2'), body: order(9_999n) })]);
    const back = await newest(alice.contract.address);
    expect(back.parsed).toMatchObject({
      kind: 'in',
      status: 'success',
      bounced: true,
      dest: friendly(jettons),
      resolvedAddress: friendly(jettons),
    });
    expect(back.operation).toEqual({
      address: friendly(jettons),
      items: [{ kind: 'ton', amount: back.parsed.amount }],
    });
  });

  it('that the balance does not cover failed, with the token, its amount and receiver', async () => {
    await transfer(client, alice, [internal({ to: jettons, value: toNano(900), body: order(100n) })]);
    const failed = await newest(alice.contract.address);
    expect(failed.parsed).toMatchObject({ kind: 'out', status: 'failed', dest: friendly(jettons) });
    expect(failed.operation).toMatchObject({
      address: friendly(mallory.contract.address),
      comment: 'lunch',
      items: [
        { kind: 'token', amount: '100', master: friendly(master.address) },
        { kind: 'ton', amount: `-${toNano(900)}` },
      ],
    });
  });
});

describe('a transfer', () => {
  const pay = (value: string, text: string) =>
    internal({ to: mallory.contract.address, value: toNano(value), bounce: false, body: comment(text) });

  it('that the balance does not cover failed, with its receiver, amount and comment', async () => {
    await transfer(client, alice, [pay('900', 'rent')]);
    const failed = await newest(alice.contract.address);
    const to = friendly(mallory.contract.address);
    expect(failed).toMatchObject({ outMessagesCount: 0, outMessages: [] });
    expect(failed.parsed).toMatchObject({
      kind: 'out',
      status: 'failed',
      dest: to,
      resolvedAddress: to,
      amount: `-${toNano(900)}`,
      body: { type: 'comment', comment: 'rent' },
      mentioned: [to],
    });
    expect(failed.operation).toEqual({
      address: to,
      comment: 'rent',
      items: [{ kind: 'ton', amount: `-${toNano(900)}` }],
    });
  });

  it('of several messages succeeded for those that were sent, and names the others', async () => {
    await transfer(client, alice, [pay('1', 'covered'), pay('900', 'not covered')]);
    expect(await newest(alice.contract.address)).toMatchObject({
      outMessagesCount: 1,
      parsed: { status: 'success', amount: `-${toNano(1)}` },
      unsent: [
        {
          dest: friendly(mallory.contract.address),
          amount: toNano(900).toString(),
          comment: 'not covered',
        },
      ],
    });
  });

  it('that bounced in the format of version 12 says what was sent, and why it came back', async () => {
    const refuser = scripted(code => code);
    const order = internal({
      to: refuser.address,
      value: toNano('0.5'),
      bounce: true,
      body: comment('hello'),
    });
    if (order.info.type === 'internal') order.info.ihrFee = 1n;
    await transfer(client, alice, [order]);
    const [back, sent] = await complete(alice.contract.address);
    expect(sent!.outMessages[0]!.info).toMatchObject({ ihrFee: '0', extraFlags: 1 });
    expect(back).toMatchObject({
      inMessage: { info: { ihrFee: '0', extraFlags: 1 } },
      parsed: {
        status: 'success',
        bounced: true,
        dest: friendly(refuser.address),
        body: { type: 'comment', comment: 'hello' },
        bounce: { amount: toNano('0.5').toString(), phase: 'compute_skipped', exitCode: -1 },
      },
    });
  });

  it('with an empty comment has no body', async () => {
    await transfer(client, alice, [pay('0.1', '')]);
    expect((await newest(mallory.contract.address)).parsed.body).toBeNull();
  });
});

/** A watched wallet of its own and how it pays alice, by messages that never expire and bring the wallet's code. */
async function createPayer(name: string) {
  const { contract, keys } = localWallet(name, 'v4r2', 'testnet');
  const { address } = contract;
  await network.watch(address.toRawString());
  async function pay(sendMode: SendMode, value: bigint): Promise<Cell> {
    const message = internal({ to: alice.contract.address, value, bounce: false });
    const seqno = await seqnoOf(client, contract);
    const order = { seqno, secretKey: keys.secretKey, sendMode, timeout: 0xffff_ffff, messages: [message] };
    const body = (contract as WalletContractV4).createTransfer(order);
    const signed = beginCell()
      .store(storeMessage(external({ to: address, body, init: contract.init })))
      .endCell();
    const { last } = (await client.getAccountLite((await client.getLastBlock()).last.seqno, address)).account;
    await client.sendMessage(signed.toBoc());
    await until(async () => {
      const block = await client.getLastBlock();
      return (await client.getAccountLite(block.last.seqno, address)).account.last?.lt !== last?.lt;
    });
    return signed;
  }
  return {
    address,
    fund: (value: bigint) => network.devnet.faucet(address.toRawString(), value),
    pay,
    payAll: () => pay(SendMode.CARRY_ALL_REMAINING_BALANCE + SendMode.DESTROY_ACCOUNT_IF_ZERO, 0n),
  };
}

it('lists the transactions of an address from before its account was deleted, and from before it was deployed', async () => {
  const { address, fund, pay, payAll } = await createPayer('deleted wallet');
  await transfer(client, alice, [internal({ to: address, value: toNano(1), bounce: true })]);
  await fund(toNano(5));
  await payAll();
  await fund(toNano(3));
  await pay(SendMode.PAY_GAS_SEPARATELY, toNano(1));

  const rows = await complete(address);
  const statuses = rows.map(({ oldStatus, newStatus }) => `${oldStatus} ${newStatus}`).reverse();
  expect(statuses).toEqual([
    'non-existing non-existing',
    'non-existing uninitialized',
    'uninitialized non-existing',
    'non-existing uninitialized',
    'uninitialized active',
  ]);
  expect(rows.map(({ prevTransaction }) => prevTransaction.lt === '0').reverse()).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  const url = `/transactions/v2/${friendly(address)}`;
  const seen: string[] = [];
  let cursor: object = {};
  for (let pages = 0; pages < 9; pages++) {
    const { body } = await request(network.app).post(url).send({ cursor, limit: 2 }).expect(200);
    const page = (body.data as { data: StoredTransaction }[]).map(({ data }) => data.lt);
    seen.push(...(pages === 0 ? page : page.slice(1)));
    if (!body.hasMore) break;
    ({ cursor } = body);
  }
  expect(seen).toEqual(rows.map(({ lt }) => lt));
});

it('shows both times that a wallet accepts one message, and of its status the first', async () => {
  const { address, fund, payAll } = await createPayer('wallet of a repeated message');
  await fund(toNano(5));
  const message = await payAll();
  await fund(toNano(3));
  const again = await payAll();
  expect(again.hash()).toEqual(message.hash());
  await fund(1n);

  const rows = await complete(address);
  const [second, first] = rows.filter(({ parsed }) => parsed.kind === 'out');
  expect(rows).toHaveLength(5);
  expect(second!.parsed.amount).not.toBe(first!.parsed.amount);
  const account = { tonAddress: friendly(address), solanaAddress: '' };
  for (const [path, query] of [
    [`v2/${account.tonAddress}`, {}],
    ['v3', { account, network: 'testnet' }],
  ] as const) {
    const { body } = await request(network.app)
      .post(`/transactions/${path}`)
      .send({ ...query, cursor: {}, limit: 100 })
      .expect(200);
    expect((body.data as { data: StoredTransaction }[]).map(({ data }) => data)).toEqual(rows);
  }
  const { body } = await request(network.app)
    .get(`/actions/${friendly(address)}`)
    .expect(200);
  expect((body.actions as { lt: string }[]).map(({ lt }) => lt)).toEqual(rows.map(({ lt }) => lt));

  const statusOf = async (txHash: string): Promise<unknown> => {
    const answer = await request(network.app)
      .post('/ton/transactions/status/testnet')
      .send({ txHash })
      .expect(200);
    return answer.body;
  };
  const known = ({ lt, hash, time }: StoredTransaction) => ({
    found: true,
    inProgress: false,
    status: 'confirmed',
    lt,
    hash,
    timestamp: time,
    success: true,
  });
  expect(await statusOf(message.hash().toString('hex'))).toEqual(known(first!));
  expect(await statusOf(first!.hash)).toEqual(known(first!));
  expect(await statusOf(second!.hash)).toEqual(known(second!));
});
