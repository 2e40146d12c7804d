import { Address, beginCell, Cell, comment, external, internal, storeMessage, toNano } from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton';
import { type TonClient4, type WalletContractV4 } from '@ton/ton';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../devnet/ton';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import { until } from '../until';
import { startRpcNode, type RpcNode, type Watched } from './rpc-node';

/** The RPC node as the unmodified `TonClient4` uses it, in front of a local network. */

const stranger = Address.parseRaw(`0:${'5b'.repeat(32)}`);
let devnet: TonDevnet;
/** Passes everything on, and lists the requests. */
let node: ReplacedServer;
let rpc: RpcNode;
let direct: TonClient4;
let client: TonClient4;
let wallet: LocalWallet;
let seqno: number;
const watching: Watched[] = [];

const asked = (path: string): number => node.requests.filter(each => each === `GET ${path}`).length;
const watch = async (): Promise<Watched> => {
  const watched = await rpc.watch();
  watching.push(watched);
  return watched;
};

beforeAll(async () => {
  devnet = await quietDevnet();
  node = await openReplacedServer(devnet.url);
  rpc = await startRpcNode([node.url]);
  direct = clientOf(devnet.url);
  client = clientOf(rpc.url);
  wallet = localWallet('rpc', 'v5r1', 'testnet');
  await devnet.faucet(wallet.contract.address.toString(), toNano(100));
  await transfer(client, wallet, [
    internal({ to: stranger, value: toNano(1), bounce: false, body: comment('first') }),
  ]);
  ({
    last: { seqno },
  } = await direct.getLastBlock());
});
beforeEach(() => void node.requests.splice(0));
afterEach(() => {
  for (const { socket } of watching.splice(0)) socket.terminate();
});
afterAll(async () => {
  await rpc.close();
  await node.close();
  await devnet.close();
});

describe('TonClient4', () => {
  const address = (): Address => wallet.contract.address;
  const calls: Record<string, (of: TonClient4) => Promise<unknown>> = {
    getLastBlock: async of => (await of.getLastBlock()).init,
    getBlock: of => of.getBlock(seqno),
    getBlockByUtime: async of => of.getBlockByUtime((await direct.getLastBlock()).now),
    getAccount: of => of.getAccount(seqno, address()),
    'getAccount of one that does not exist': of => of.getAccount(1, address()),
    getAccountLite: of => of.getAccountLite(seqno, address()),
    isContractDeployed: of => of.isContractDeployed(seqno, address()),
    isAccountChanged: of => of.isAccountChanged(seqno, address(), 7n),
    async getAccountTransactions(of) {
      const { last } = (await direct.getAccountLite(seqno, address())).account;
      const page = await of.getAccountTransactions(
        address(),
        BigInt(last!.lt),
        Buffer.from(last!.hash, 'base64'),
      );
      return page.map(({ tx, block }) => [tx.hash().toString('hex'), block]);
    },
    getConfig: of => of.getConfig(seqno),
    'getConfig of some': of => of.getConfig(seqno, [34, 0, 8]),
    async runMethod(of) {
      const { exitCode, resultRaw, block, shardBlock } = await of.runMethod(seqno, address(), 'seqno');
      return { exitCode, resultRaw, block, shardBlock };
    },
    async 'runMethod with arguments'(of) {
      const { exitCode, resultRaw } = await of.runMethod(seqno, address(), 'is_plugin_installed', [
        { type: 'int', value: 0n },
        { type: 'int', value: -(2n ** 200n) },
      ]);
      return { exitCode, resultRaw };
    },
    'open().getSeqno': of => of.open(wallet.contract as WalletContractV5R1).getSeqno(),
    'openAt().getBalance': of => of.openAt(seqno, wallet.contract as WalletContractV4).getBalance(),
  };

  it.each(Object.entries(calls))('%s is what the node itself answers', async (_, call) => {
    const expected = await call(direct);
    expect(await call(client)).toEqual(expected);
    expect(await call(client)).toEqual(expected);
  });

  it('reads every transaction of the network by paging', async () => {
    expect(await expectUnbrokenChains(client)).toBeGreaterThan(2);
  });

  it('sends messages, deploys, and reads what came of it', async () => {
    const other = localWallet('rpc other', 'v4r2', 'testnet');
    await transfer(client, wallet, [
      internal({ to: other.contract.address, value: toNano(5), bounce: false }),
    ]);
    await transfer(client, other, [internal({ to: stranger, value: 1n, bounce: false })]);
    const { last } = await client.getLastBlock();
    expect(await client.isContractDeployed(last.seqno, other.contract.address)).toBe(true);
  });

  it('throws where a block does not exist, and for a message that no account accepts', async () => {
    await expect(client.getBlock(4_000_000_000)).rejects.toThrow('Block is out of scope');
    await expect(client.getBlock(0)).rejects.toThrow('Block is out of scope');
    await expect(client.getBlockByUtime(4_000_000_000)).rejects.toThrow('Block is out of scope');
    await expect(client.getAccount(4_000_000_000, stranger)).rejects.toThrow();
    const message = beginCell()
      .store(storeMessage(external({ to: stranger })))
      .endCell();
    await expect(client.sendMessage(message.toBoc())).rejects.toThrow('422');
    await expect(client.getAccountTransactions(stranger, 7n, Buffer.alloc(32, 7))).rejects.toThrow('404');
  });
});

describe('bad input', () => {
  const bomb = (): Cell => {
    let cell = Cell.EMPTY;
    for (let depth = 0; depth < 300; depth++) cell = beginCell().storeRef(cell).storeRef(cell).endCell();
    return cell;
  };
  const message = (to: Address, body = Cell.EMPTY): string =>
    beginCell()
      .store(storeMessage(external({ to, body })))
      .endCell()
      .toBoc()
      .toString('base64');

  it.each<[string, string]>([
    ['text', 'hello world'],
    ['nothing', ''],
    ['bytes that are no bag of cells', 'AAAA'],
    ['a cell that is no message', Cell.EMPTY.toBoc().toString('base64')],
    ['a message to no workchain', message(new Address(5, Buffer.alloc(32)))],
    ['a few cells that are used without end', message(stranger, bomb())],
    ['more bytes than the network takes', Buffer.alloc(65_536).toString('base64')],
  ])('a message that is %s is refused, and sent to no node', async (_, boc) => {
    const { status, body } = await rpc.send({ boc });
    expect([status, (body as { errors: { pointer: string }[] }).errors[0]!.pointer]).toEqual([
      400,
      '/body/boc',
    ]);
    expect(node.requests).toEqual([]);
  });

  it('arguments that a decoder would never end to read are refused', async () => {
    const args = bomb().toBoc({ idx: false, crc32: false }).toString('base64url');
    const { status, body } = await rpc.get(`/block/1/${stranger.toString()}/run/seqno/${args}`);
    expect([status, (body as { errors: { pointer: string }[] }).errors[0]!.pointer]).toEqual([
      400,
      '/path/args',
    ]);
    expect(node.requests).toEqual([]);
  });

  it('an address of testnet alone is refused on mainnet, and any other accepted on testnet', async () => {
    const path = `/block/1/${stranger.toString({ testOnly: true })}/lite`;
    const mainnet = await fetch(rpc.url.replace('testnet', 'mainnet') + path);
    expect([mainnet.status, ((await mainnet.json()) as { code: string }).code]).toEqual([
      400,
      'network_mismatch',
    ]);
    expect((await rpc.get(path)).status).toBe(200);
    expect((await rpc.get(`/block/1/${stranger.toString()}/lite`)).status).toBe(200);
  });
});

describe('as a cache', () => {
  it('asks a node once for what two hundred clients ask at the same time', async () => {
    const path = `/block/${seqno}/${stranger.toString()}`;
    const answers = await Promise.all(Array.from({ length: 200 }, () => rpc.get(path)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]!.body).toMatchObject({ account: { balance: { coins: '1000000000' } } });
    expect(asked(path)).toBe(1);
    // The identity of the node, before and after.
    expect(asked('/block/latest')).toBeLessThanOrEqual(3);
  });

  it('keeps what is as of a block, in any spelling, and asks no node for it again', async () => {
    const spellings = [
      stranger.toString(),
      stranger.toString({ testOnly: true }),
      stranger.toString({ bounceable: false }),
      stranger.toRawString(),
    ];
    const path = `/block/${seqno}/${stranger.toString()}/lite`;
    const answers = await Promise.all(spellings.map(each => rpc.get(`/block/${seqno}/${each}/lite`)));
    for (const { status, headers, body } of answers) {
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(body).toEqual(answers[0]!.body);
    }
    expect(asked(path)).toBe(1);
  });

  it('asks no node about blocks that do not exist yet, beyond the newest one', async () => {
    const future = Array.from({ length: 50 }, (_, i) => 3_000_000_000 + i);
    for (const { headers, body } of await Promise.all(future.map(each => rpc.get(`/block/${each}`)))) {
      expect(body).toEqual({ exist: false });
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect(node.requests.filter(each => each !== 'GET /block/latest')).toEqual([]);
  });

  it('finds a new block at once although the newest one is cached', async () => {
    await client.getLastBlock();
    const made = await devnet.simulation.produceBlock();
    await until(async () => (await rpc.get(`/block/${made}`)).headers.get('cache-control') !== 'no-store');
    expect((await client.getLastBlock()).last.seqno).toBe(made);
  });
});

describe('limits by the address of the caller', () => {
  let limited: RpcNode;
  let unread = 0;
  const account = (n: number): string => `0:${String(n).padStart(64, '0')}`;
  const missing = (): string => `/block/1/${account(++unread)}/lite`;

  beforeEach(async () => {
    limited = await startRpcNode([node.url], {
      limits: createMemoryLimits({ node_reads: 3, messages: 2 }),
    });
    await limited.get('/block/latest');
  });
  afterEach(() => limited.close());

  it('count what a node has to answer, and no cached answer, no newest block and no block that does not exist', async () => {
    const [first, ...paths] = [missing(), missing(), missing()];
    for (const path of [first!, ...paths]) expect((await limited.get(path)).status).toBe(200);
    const refused = await limited.get(missing());
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const path of [first!, ...paths, '/block/latest', '/block/4000000000'])
      expect((await limited.get(path)).status).toBe(200);
    expect((await limited.get(missing(), '192.0.2.2')).status).toBe(200);
  });

  it('count once what many ask for at the same time', async () => {
    const path = missing();
    const answers = await Promise.all(Array.from({ length: 100 }, () => limited.get(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await limited.get(missing())).status).toBe(200);
  });

  it('count messages, and only those that are sent to the nodes', async () => {
    const boc = beginCell()
      .store(storeMessage(external({ to: stranger })))
      .endCell()
      .toBoc()
      .toString('base64');
    for (let n = 0; n < 3; n++) expect((await limited.send({ boc: 'AAAA' })).status).toBe(400);
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await limited.send({ boc })).status);
    expect(statuses).toEqual([422, 422, 429]);
    expect((await limited.send({ boc }, '192.0.2.2')).status).toBe(422);
    expect(node.requests.filter(each => each === 'POST /send')).toHaveLength(3);
  });
});

describe('/block/watch/changed', () => {
  const expectContiguous = ({ frames }: Watched): void =>
    expect(frames.map(frame => frame.seqno)).toEqual(frames.map((_, i) => frames[0]!.seqno + i));

  it('begins with the newest block, and then has each with its time and the accounts that it changed', async () => {
    const [one, other] = [await watch(), await watch()];
    await until(() => one.frames.length > 0 && other.frames.length > 0);
    await devnet.faucet(stranger.toString(), 1n);
    const { last, now } = await direct.getLastBlock();
    for (const watched of [one, other]) {
      await until(() => watched.frames.at(-1)!.seqno === last.seqno);
      expectContiguous(watched);
      const { changed, lastUtime } = watched.frames.at(-1)!;
      expect(lastUtime).toBe(now);
      const account = await direct.getAccountLite(last.seqno, stranger);
      expect(changed[stranger.toString()]).toEqual(account.account.last);
    }
    expect(asked(`/block/${last.seqno}`)).toBe(1);
    // What a frame has named can be read at once.
    expect((await client.getLastBlock()).last.seqno).toBe(last.seqno);
  });

  it('leaves no block out, not those that were made while the node was away', async () => {
    const watched = await watch();
    await until(() => watched.frames.length > 0);
    const first = watched.frames[0]!.seqno;
    node.answer = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    for (let n = 0; n < 30; n++) await devnet.simulation.produceBlock();
    node.answer = null;
    await until(() => watched.frames.at(-1)!.seqno >= first + 30);
    expectContiguous(watched);
    expect(
      watched.frames.every(({ lastUtime }, i, all) => i === 0 || lastUtime >= all[i - 1]!.lastUtime),
    ).toBe(true);
  });
});
