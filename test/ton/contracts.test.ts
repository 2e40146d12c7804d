import { once } from 'node:events';
import { Address, beginCell, Cell, contractAddress, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import request from 'supertest';
import {
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from '../../infra/devnet/ton/jetton/jetton';
import type { PublicWeb } from '../../contracts/ports/public-web';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { webOf } from '../doubles/public-web';
import { openReplacedServer, type Answer, type ReplacedServer } from '../doubles/replaced-server';
import { until } from '../until';
import { STAKING_POOL, type LocalNetwork } from './network';
import { addressOf, friendly, rawOf, startTestnet } from './testnet';

let network: LocalNetwork;
/** The node that contracts are read from. */
let node: ReplacedServer;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let master: Address;
let aliceJettons: Address;
let bobJettons: Address;
/** Of the clock by which contracts are stale. */
let aheadMs = 0;
const ahead = (): void => void (aheadMs += 60_000);

/** Of no known kind: it accepts everything and does nothing. */
const sink = { code: Cell.EMPTY, data: Cell.EMPTY };
const METADATA = {
  name: 'Dollar',
  symbol: 'USDX',
  decimals: 6,
  description: '',
  image: 'https://x.org/i.png',
};

const DOCUMENT = 'https://meta.example/semi.json';
const documents = webOf({ [DOCUMENT]: JSON.stringify({ symbol: 'OTHER', image: 'ipfs://Qm1/semi.png' }) });
/** What a stranger has named does not answer. */
const web: PublicWeb = {
  ...documents,
  async get(url, asked) {
    if (url.includes('stalling')) await once(asked.signal!, 'abort');
    return documents.get(url, asked);
  },
};

async function get(path: string, from = '198.51.100.7'): Promise<unknown> {
  return (await request(network.app).get(path).set('X-Forwarded-For', from).expect(200)).body as unknown;
}
const info = (address: string) => get(`/contract/info/${encodeURIComponent(address)}`);
interface Metadata {
  readonly image: string | null;
  readonly jettonWallet?: { readonly balance: string };
}
const metadata = async (address: string, from?: string) =>
  (await get(`/metadata/${encodeURIComponent(address)}`, from)) as Metadata;

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({
    watched: false,
    clock: () => new Date(Date.now() + aheadMs),
    web,
    settings: { TRUSTED_PROXIES: '1' },
    nodeOf: async url => (node = await openReplacedServer(url)).url,
  }));
  const jetton = jettonMaster(alice.contract.address, METADATA);
  master = jetton.address;
  aliceJettons = jettonWalletAddress(master, alice.contract.address);
  bobJettons = jettonWalletAddress(master, bob.contract.address);
  const mint = mintBody({ to: alice.contract.address, amount: 1_000n, value: toNano('0.1') });
  await transfer(client, alice, [
    internal({ to: master, value: toNano('0.5'), init: jetton.init, body: mint, bounce: false }),
  ]);
  await transfer(client, bob, [internal({ to: alice.contract.address, value: 1n })]);
});
afterAll(async () => {
  await network.close();
  await node.close();
});

describe('GET /contract/info/{address}', () => {
  it('is null for an address of Solana, a token account too', async () => {
    for (const address of [
      'So11111111111111111111111111111111111111112',
      '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    ])
      expect(await info(address)).toBeNull();
  });

  it.each(['friendly', 'raw'] as const)('says what contracts are, by a %s address', async form => {
    const of = async (address: Address) =>
      form === 'friendly'
        ? info(friendly(address))
        : get(`/contract/info/${address.toRawString()}?network=testnet`);
    const common = {
      state: 'active',
      codeHash: expect.any(String) as string,
      seqno: expect.any(Number) as number,
      at: expect.any(String) as string,
    };
    expect(await of(alice.contract.address)).toEqual({
      ...common,
      name: 'Wallet',
      kind: 'wallet',
      version: 'v5r1',
      address: addressOf(alice),
      codeHash: alice.contract.init.code!.hash().toString('base64'),
    });
    expect(await of(bob.contract.address)).toMatchObject({ ...common, kind: 'wallet', version: 'v4r2' });
    expect(await of(master)).toMatchObject({ ...common, kind: 'jetton-master' });
    expect(await of(aliceJettons)).toMatchObject({ ...common, kind: 'jetton-wallet' });
  });

  it('has the state and code of a contract of another kind', async () => {
    const address = contractAddress(0, sink);
    await transfer(client, bob, [internal({ to: address, value: toNano(1), init: sink, bounce: false })]);
    const body = await info(friendly(address));
    expect(body).toMatchObject({
      name: 'Contract',
      state: 'active',
      codeHash: sink.code.hash().toString('base64'),
    });
    expect(body).not.toHaveProperty('kind');
  });

  it('is null for an address that nobody has used, and nothing is stored of it', async () => {
    const unused = [
      localWallet('nobody', 'v5r1', 'testnet').contract.address.toRawString(),
      `0:${'0'.repeat(64)}`,
    ];
    for (const address of unused) expect(await get(`/contract/info/${address}?network=testnet`)).toBeNull();
    const stored = (address: string) => network.views.get('observed_ton_contract', `ton:testnet:${address}`);
    const used = localWallet('somebody', 'v5r1', 'testnet');
    await network.devnet.faucet(rawOf(used), toNano(1));
    await info(addressOf(used));
    await until(() => stored(rawOf(used)));
    for (const address of unused) expect(await stored(address)).toBeNull();
  });

  it('knows the contracts of a page of history once the page was read', async () => {
    const dave = localWallet('dave', 'v4r2', 'testnet');
    const erin = localWallet('erin', 'v5r1', 'testnet');
    await network.devnet.faucet(rawOf(dave), toNano(2));
    await transfer(client, dave, [internal({ to: erin.contract.address, value: toNano(1), bounce: false })]);
    const stored = () => network.views.get('observed_ton_contract', `ton:testnet:${rawOf(erin)}`);
    expect(await stored()).toBeNull();
    await get(`/transactions/${addressOf(dave)}`);
    expect(await until(stored)).toMatchObject({ data: { state: 'uninitialized' } });
  });

  it('notices that an account has become a wallet', async () => {
    const carol = localWallet('carol', 'v5r1', 'testnet');
    await network.devnet.faucet(rawOf(carol), toNano(1));
    expect(await info(addressOf(carol))).toMatchObject({
      name: 'Account',
      state: 'uninitialized',
      codeHash: null,
    });
    expect(await info(addressOf(carol))).not.toHaveProperty('kind');
    await transfer(client, carol, [internal({ to: alice.contract.address, value: 1n })]);
    ahead();
    expect(
      await until(
        () => info(addressOf(carol)),
        found => (found as { state: string }).state === 'active',
      ),
    ).toMatchObject({ kind: 'wallet', version: 'v5r1' });
  });

  it('refuses what is no address, and a test-only address with mainnet', async () => {
    for (const path of ['/contract/info/nonsense', '/metadata/nonsense', '/config/nonsense']) {
      const { body } = await request(network.app).get(path).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/path/address' }] });
    }
    for (const path of ['/contract/info', '/metadata', '/config']) {
      const { body } = await request(network.app)
        .get(`${path}/${addressOf(alice)}?network=mainnet`)
        .expect(400);
      expect(body).toMatchObject({ code: 'network_mismatch' });
    }
  });
});

describe('GET /config/{address}', () => {
  const trusted = friendly(Address.parseRaw(STAKING_POOL));
  const listed = NOMINATOR_POOLS.testnet.map(raw => friendly(Address.parseRaw(raw)));
  /** The one of the operator is nowhere, so that another one is recommended. */
  const pools = { pools: [trusted, ...listed], recommended: listed[0] };
  it('has the version of a wallet, how much it sends at once, and the pools of its network', async () => {
    const config = (wallet: LocalWallet) => get(`/config/${addressOf(wallet)}`);
    expect(await config(alice)).toEqual({
      version: 'v5r1',
      type: 'wallet',
      messagesPerTransaction: 255,
      ...pools,
    });
    expect(await config(bob)).toEqual({
      version: 'v4r2',
      type: 'wallet',
      messagesPerTransaction: 4,
      ...pools,
    });
  });

  it('has pools for what is no wallet, too', async () => {
    const none = { version: null, messagesPerTransaction: null, ...pools };
    expect(await get(`/config/${friendly(master)}`)).toEqual({ ...none, type: 'jetton-master' });
    const nobody = localWallet('nobody', 'v5r1', 'testnet');
    expect(await get(`/config/${addressOf(nobody)}`)).toEqual({ ...none, type: null });
  });
});

describe('GET /metadata/{address}', () => {
  it('has the state of a jetton', async () => {
    expect(await metadata(friendly(master))).toMatchObject({
      seqno: expect.any(Number) as number,
      jettonMaster: {
        totalSupply: '1000',
        mintalbe: true,
        mintable: true,
        owner: addressOf(alice),
        content: { type: 'onchain' },
      },
      name: 'Dollar',
      symbol: 'USDX',
      image: 'https://x.org/i.png',
    });
  });

  it('has the state of a jetton wallet, also after a transfer', async () => {
    const state = (owner: LocalWallet, address: Address, balance: string) => ({
      jettonWallet: {
        balance,
        owner: addressOf(owner),
        master: friendly(master),
        address: friendly(address),
      },
    });
    expect(await metadata(friendly(aliceJettons))).toMatchObject(state(alice, aliceJettons, '1000'));
    const body = jettonTransferBody({
      to: bob.contract.address,
      amount: 400n,
      response: alice.contract.address,
      forwardValue: 0n,
    });
    await transfer(client, alice, [internal({ to: aliceJettons, value: toNano('0.2'), body })]);
    await until(
      () => client.getLastBlock().then(({ last }) => client.isContractDeployed(last.seqno, bobJettons)),
      deployed => deployed,
    );
    expect(await metadata(friendly(bobJettons))).toMatchObject(state(bob, bobJettons, '400'));
    ahead();
    await until(
      () => metadata(friendly(aliceJettons)),
      ({ jettonWallet }) => jettonWallet?.balance === '600',
    );
  });

  it('has what the document of a jetton says where the chain says nothing, once it was read, beside those of a stranger that stall', async () => {
    const stalling = [1, 2, 3, 4, 5, 6, 7, 8].map(n =>
      jettonMaster(alice.contract.address, { ...METADATA, uri: `https://stalling${n}.example/` }),
    );
    await transfer(
      client,
      alice,
      stalling.map(({ address: to, init }) => internal({ to, value: toNano('0.5'), init, bounce: false })),
    );
    for (const { address } of stalling) await metadata(friendly(address), '192.0.2.1');
    const semi = { name: 'Semi', symbol: 'SEMI', decimals: 6, description: '', image: '', uri: DOCUMENT };
    const { address, init } = jettonMaster(alice.contract.address, semi);
    await transfer(client, alice, [internal({ to: address, value: toNano('0.5'), init, bounce: false })]);
    const chain = { name: 'Semi', symbol: 'SEMI' };
    expect(await metadata(friendly(address))).toMatchObject({ ...chain, image: null });
    const found = await until(
      () => metadata(friendly(address)),
      ({ image }) => image !== null,
    );
    expect(found).toMatchObject({ ...chain, image: 'https://ipfs.io/ipfs/Qm1/semi.png' });
  });

  it('has the block alone of any other contract, and of none', async () => {
    const nothing = { name: null, symbol: null, image: null };
    for (const address of [
      addressOf(bob),
      friendly(localWallet('nobody', 'v4r2', 'testnet').contract.address),
    ])
      expect(await metadata(address)).toEqual({
        seqno: expect.any(Number) as number,
        at: expect.any(String) as string,
        ...nothing,
      });
  });
});

describe('a node', () => {
  interface Known {
    readonly at: string;
    readonly seqno: number;
  }
  const known = async (): Promise<Known> => (await info(addressOf(alice))) as Known;
  const send = (status: number, body: string): Answer => {
    return (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    };
  };
  /** Requests of the account of a wallet that the node has seen. */
  const reads = (of: LocalWallet): string[] =>
    node.requests.filter(each => each.includes(`${of.contract.address.toString({ urlSafe: true })}/lite`));

  /** What is known of a wallet becomes stale. */
  const muchLater = (): void => void (aheadMs += 3_600_000);

  afterEach(() => {
    node.answer = null;
  });

  it('that lags takes back nothing that was known', async () => {
    const before = await known();
    const asked = reads(alice).length;
    const { body } = await request(node.url).get('/block/latest');
    const latest = body as { last: object };
    node.answer = ({ url }, response) => {
      if (url !== '/block/latest') return false;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...latest, last: { ...latest.last, seqno: 1 } }));
      return true;
    };
    muchLater();
    const served: Known[] = [];
    await until(
      async () => {
        served.push(await known());
        return reads(alice).slice(asked);
      },
      found => found.some(each => each.includes('/block/1/')),
    );
    node.answer = null;
    muchLater();
    await until(
      async () => {
        served.push(await known());
        return served.at(-1)!;
      },
      ({ seqno, at }) => seqno >= before.seqno && at > before.at,
    );
    for (const each of served) {
      expect(each).toMatchObject({ kind: 'wallet', version: 'v5r1' });
      expect(each.seqno).toBeGreaterThanOrEqual(before.seqno);
    }
  });

  const faults: readonly (readonly [string, Answer])[] = [
    ['is away', (_request, response) => Boolean(response.destroy())],
    ['sends garbage', send(200, '<html>It works!</html>')],
  ];
  it.each(faults)(
    'that %s: what was known is served with its age, and the rest is unknown',
    async (name, fault) => {
      const before = await known();
      node.answer = fault;
      muchLater();
      expect(await known()).toEqual(before);
      const unread = addressOf(localWallet(`unread, ${name}`, 'v4r2', 'testnet'));
      expect(await info(unread)).toBeNull();
      expect(await get(`/config/${unread}`)).toMatchObject({ version: null, type: null });
      const { body } = await request(network.app).get(`/metadata/${unread}`).expect(503);
      expect(body).toMatchObject({ code: 'not_ready' });
      expect(await known()).toEqual(before);
      node.answer = null;
      muchLater();
      const { at } = await until(known, found => found.at > before.at);
      expect(Date.parse(at)).toBeGreaterThan(Date.parse(before.at));
    },
  );

  it('that cannot send the stack of a contract does not hide its state, nor other contracts', async () => {
    const init = { ...sink, data: beginCell().storeUint(1, 1).endCell() };
    const address = contractAddress(0, init);
    await transfer(client, bob, [internal({ to: address, value: toNano(1), init, bounce: false })]);
    const path = `/${address.toString({ urlSafe: true })}/run/`;
    node.answer = (call, response) => call.url!.includes(path) && send(200, '{"result":"no')(call, response);
    const body = await info(friendly(address));
    expect(body).toMatchObject({ name: 'Contract', state: 'active' });
    expect(body).not.toHaveProperty('kind');
    expect(await info(friendly(aliceJettons))).toMatchObject({ kind: 'jetton-wallet' });
  });
});
