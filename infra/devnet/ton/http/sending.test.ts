import { Address, Cell, SendMode, beginCell, comment, internal, toNano } from '@ton/core';
import type { TonClient4, WalletContractV5R1 } from '@ton/ton';
import { WebSocket } from 'ws';
import { clientOf, expectUnbrokenChains, externalBoc, quietDevnet } from '../../../../test/devnet/ton';
import { until } from '../../../../test/until';
import { EXTRA_CURRENCY } from '../chain/genesis';
import type { TonDevnet } from '../devnet';
import { type LocalWallet, localWallet, seqnoOf, transfer } from '../wallets';

const stranger = Address.parseRaw(`0:${'5a'.repeat(32)}`);
let devnet: TonDevnet;
let client: TonClient4;

const tip = async (): Promise<number> => (await client.getLastBlock()).last.seqno;
const rich = async (name: string): Promise<LocalWallet> => {
  const made = localWallet(name, 'v5r1', 'testnet');
  await devnet.faucet(made.contract.address.toString(), toNano(100));
  return made;
};
const post = async (path: string, body: unknown): Promise<{ status: number; body: { error: string } }> => {
  const response = await fetch(devnet.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { error: string } };
};

beforeAll(async () => {
  devnet = await quietDevnet();
  client = clientOf(devnet.url);
});
afterAll(() => devnet.close());

describe('messages', () => {
  it('deploys a W5 wallet with its first message, and both sides have the transfer', async () => {
    const fresh = await rich('messages');
    await transfer(client, fresh, [
      internal({ to: stranger, value: toNano('1.5'), bounce: false, body: comment('hello') }),
    ]);
    expect(await seqnoOf(client, fresh.contract)).toBe(1);
    const { account } = await client.getAccountLite(await tip(), stranger);
    const [newest] = await client.getAccountTransactions(
      stranger,
      BigInt(account.last!.lt),
      Buffer.from(account.last!.hash, 'base64'),
    );
    const { info, body } = newest!.tx.inMessage!;
    expect(info.src?.toString()).toBe(fresh.contract.address.toString());
    expect(info.type === 'internal' && info.value.coins).toBe(toNano('1.5'));
    expect(body.beginParse().skip(32).loadStringTail()).toBe('hello');
  });

  it('processes concurrent duplicates of a message once, and rejects it afterwards', async () => {
    const sender = await rich('twice');
    const { contract, keys } = sender;
    await transfer(client, sender, []);
    const order = (contract as WalletContractV5R1).createTransfer({
      seqno: 1,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      timeout: 0xffff_ffff,
      messages: [internal({ to: stranger, value: 1n })],
    });
    const message = externalBoc(contract.address, order);
    const statuses = await Promise.all([client.sendMessage(message), client.sendMessage(message)]);
    expect(statuses).toEqual([{ status: 1 }, { status: 1 }]);
    await until(async () => (await seqnoOf(client, contract)) === 2);
    const again = await post('/send', { boc: message.toString('base64') });
    expect(again.status).toBe(422);
    expect(again.body.error).toMatch(/did not accept.*exit code 133/);
  });

  it('answers when the account accepts a message, before a block has it', async () => {
    const sender = await rich('waiting');
    await transfer(client, sender, []);
    const { contract, keys } = sender;
    const order = (contract as WalletContractV5R1).createTransfer({
      seqno: 1,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      timeout: 0xffff_ffff,
      messages: [internal({ to: stranger, value: 1n })],
    });
    await devnet.simulation.pause();
    expect(await client.sendMessage(externalBoc(contract.address, order))).toEqual({ status: 1 });
    expect(await seqnoOf(client, contract)).toBe(1);
    await devnet.simulation.produceBlock();
    expect(await seqnoOf(client, contract)).toBe(2);
    await devnet.simulation.resume();
  });

  it('moves messages that do not fit into a block to the next one', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `0:70${i.toString(16).padStart(62, '0')}`);
    const gifts = await Promise.all(many.map((address, i) => devnet.faucet(address, BigInt(i + 1))));
    expect(new Set(gifts.map(({ hash }) => hash)).size).toBeLessThan(10);
    await devnet.simulation.produceBlock();
    const seqno = await tip();
    for (let block = 1; block <= seqno; block++) {
      const [, shard] = (await client.getBlock(block)).shards;
      expect(shard!.transactions.length).toBeLessThanOrEqual(256);
    }
    for (const [i, address] of many.entries()) {
      const { account } = await client.getAccountLite(seqno, Address.parseRaw(address));
      expect(account.balance.coins).toBe(String(i + 1));
    }
  });
});

describe('the faucet', () => {
  it('sends coins over HTTP', async () => {
    const address = Address.parseRaw(`0:${'fa'.repeat(32)}`);
    const { status, body } = await post('/faucet', { address: address.toString(), amount: '12345' });
    expect(status).toBe(200);
    expect(body).toEqual({ seqno: expect.any(Number), lt: expect.any(String), hash: expect.any(String) });
    const { account } = await client.getAccountLite(await tip(), address);
    expect(account.balance.coins).toBe('12345');
  });

  it('says how to use it to a browser that opens its URL', async () => {
    const response = await fetch(`${devnet.url}/faucet`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toEqual({ error: expect.stringContaining('POST {"address"') });
  });

  it('sends an extra currency with the coins, which a wallet sends on', async () => {
    const holder = localWallet('extra', 'v5r1', 'testnet');
    const address = holder.contract.address;
    const request = { address: address.toString(), amount: toNano(1).toString(), extra: '1000' };
    expect((await post('/faucet', request)).status).toBe(200);
    const currencies = async (of: Address): Promise<unknown> =>
      (await client.getAccountLite(await tip(), of)).account.balance.currencies;
    expect(await currencies(address)).toEqual({ [EXTRA_CURRENCY]: '1000' });

    const receiver = Address.parseRaw(`0:${'fe'.repeat(32)}`);
    const extracurrency = { [EXTRA_CURRENCY]: 400n };
    await transfer(client, holder, [
      internal({ to: receiver, value: toNano('0.1'), bounce: false, extracurrency }),
    ]);
    expect(await currencies(receiver)).toEqual({ [EXTRA_CURRENCY]: '400' });
    expect(await currencies(address)).toEqual({ [EXTRA_CURRENCY]: '600' });
  });

  it.each([
    [{}, 'address'],
    [{ address: stranger.toString(), amount: '1', extra: '-1' }, 'extra'],
    [{ address: stranger.toString(), amount: '1', extra: 5 }, 'extra'],
    [{ address: stranger.toString(), amount: '1', extra: '10000000000' }, 'extra'],
    [{ address: 'EQ', amount: '1' }, 'address'],
    [{ address: stranger.toString() }, 'amount'],
    [{ address: stranger.toString(), amount: 5 }, 'amount'],
    [{ address: stranger.toString(), amount: '-5' }, 'amount'],
    [{ address: stranger.toString(), amount: '9999999999999999999' }, 'amount'],
  ])('refuses %j, naming %s', async (request, field) => {
    const { status, body } = await post('/faucet', request);
    expect([status, body.error.startsWith(field)]).toEqual([400, true]);
  });
});

describe('block notifications', () => {
  const next = (socket: WebSocket): Promise<unknown> =>
    new Promise(resolve => socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()))));
  const open = async (path: string): Promise<WebSocket> => {
    const socket = new WebSocket(devnet.url.replace('http', 'ws') + path);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return socket;
  };

  it('are sent for every block and its changed accounts', async () => {
    const seqnos = await open('/block/watch');
    const changes = await open('/block/watch/changed');
    const received = Promise.all([next(seqnos), next(changes)]);
    await devnet.faucet(stranger.toString(), 5n);
    const { last, now } = await client.getLastBlock();
    const { account } = await client.getAccountLite(last.seqno, stranger);
    expect(await received).toEqual([
      { seqno: last.seqno, time: now, now: expect.any(Number) },
      {
        lastUtime: now,
        seqno: last.seqno,
        changed: expect.objectContaining({ [stranger.toString()]: account.last }),
      },
    ]);
    seqnos.close();
    changes.close();
  });

  it('are not served on other paths', async () => {
    await expect(open('/block/other')).rejects.toThrow('404');
  });
});

describe('invalid input', () => {
  const friendly = stranger.toString();
  const spoilt = friendly.slice(0, -1) + (friendly.endsWith('A') ? 'B' : 'A');

  it.each([
    ['/block/abc', 400],
    ['/block/-1', 400],
    ['/block/1.5', 400],
    ['/block/99999999999', 400],
    ['/block/utime/yesterday', 400],
    [`/block/1/${spoilt}`, 400],
    ['/block/1/EQshort', 400],
    ['/block/1/%00', 400],
    ['/block/1/%E0%A4%A', 400],
    [`/block/x/${friendly}/lite`, 400],
    [`/block/1/${friendly}/changed/soon`, 400],
    [`/block/1/${friendly}/run/seqno/!!!`, 400],
    [`/block/1/${friendly}/run/seqno/AAAA`, 400],
    [`/block/1/${friendly}/run/no%20such%20method`, 200],
    ['/block/1/config/a,b', 400],
    ['/block/1/config/99999999999', 400],
    [`/account/${friendly}/tx/1/AAAA`, 400],
    [`/account/${friendly}/tx/1/${'A'.repeat(43)}`, 404],
    [`/account/${friendly}/tx/99999999999999999999/${'A'.repeat(43)}`, 404],
    ['/nowhere', 404],
    ['/send', 404],
  ])('GET %s is %i', async (path, status) => {
    const response = await fetch(devnet.url + path);
    expect(response.status).toBe(status);
    if (status !== 200) expect(((await response.json()) as { error: string }).error).toBeTruthy();
  });

  const internalMessage = beginCell().storeUint(0x18, 6).storeAddress(stranger).storeUint(0, 250).endCell();

  it.each([
    ['', 400],
    ['{', 400],
    ['"text"', 400],
    ['[]', 400],
    ['{"boc":1}', 400],
    ['{"boc":"***"}', 400],
    ['{"boc":"AAAA"}', 400],
  ])('POST /send of %s is %i', async (body, status) => {
    const answer = await post('/send', body);
    expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
  });

  let usedOften = Cell.EMPTY;
  for (let depth = 0; depth < 20; depth++)
    usedOften = beginCell().storeRef(usedOften).storeRef(usedOften).endCell();

  it.each([
    ['an empty cell', Cell.EMPTY.toBoc(), 400],
    ['an internal message', internalMessage.toBoc(), 400],
    [
      'a message to a workchain that does not exist',
      externalBoc(new Address(5, Buffer.alloc(32)), Cell.EMPTY),
      400,
    ],
    ['a message that no contract accepts', externalBoc(stranger, Cell.EMPTY), 422],
    ['a bag that claims more cells than it has', Buffer.from('b5ee9c7204040fffffff00000001', 'hex'), 400],
    ['a few cells that are used a million times', externalBoc(stranger, usedOften), 400],
    ['more than a message may have', Buffer.alloc(70_000), 413],
    ['more than a body may have', Buffer.alloc(200_000), 413],
  ])('POST /send of %s is refused', async (_what, boc, status) => {
    const answer = await post('/send', { boc: boc.toString('base64') });
    expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
  });

  it('refuses arguments of a few cells that are used a million times', async () => {
    const args = usedOften.toBoc({ idx: false, crc32: false }).toString('base64url');
    const answer = await fetch(`${devnet.url}/block/1/${stranger.toString()}/run/seqno/${args}`);
    expect(answer.status).toBe(400);
  });

  it('does not stop the node, even if it breaks the virtual machine', async () => {
    const survivor = await rich('survivor');
    await transfer(client, survivor, []);
    let deep = Cell.EMPTY;
    for (let depth = 0; depth < 900; depth++) deep = beginCell().storeRef(deep).endCell();
    const outcome = await client.runMethod(await tip(), survivor.contract.address, 'seqno', [
      { type: 'cell', cell: deep },
    ]);
    expect(outcome).toMatchObject({ exitCode: -256, result: [] });
    expect(await seqnoOf(client, survivor.contract)).toBe(1);
  });
});

it('has an unbroken chain of transactions for every account', async () => {
  expect(await expectUnbrokenChains(client)).toBeGreaterThan(300);
});
