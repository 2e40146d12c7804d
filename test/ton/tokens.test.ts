import { randomBytes } from 'node:crypto';
import { type Address, beginCell, Cell, internal, loadStateInit, type StateInit, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import sharp from 'sharp';
import request from 'supertest';
import { assetKey, PRICES_TOPIC, type PriceRecord } from '../../contracts/chain/prices';
import { JETTON_OP } from '../../contracts/chain/ton-jetton';
import { tokenStream, type TokenVerification } from '../../contracts/events/token';
import { watchStream } from '../../contracts/events/watch';
import type { MintlessHint } from '../../contracts/http/tokens/mintless';
import type { FullHints, JettonTransfer } from '../../contracts/http/tokens/tokens';
import { onChainContent } from '../../infra/devnet/ton/token-content';
import {
  type JettonMaster,
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from '../../infra/devnet/ton/jetton/jetton';
import { mintlessJetton, payloadAnswer, type MintlessJetton } from '../../infra/devnet/ton/mintless/mintless';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { createHandle } from '../../services/commands/handle';
import { tokenKind } from '../../services/tokens/verification/decider';
import { webOf } from '../doubles/public-web';
import { until } from '../until';
import { PUBLIC_URL, type LocalNetwork } from './network';
import { addressOf, friendly, rawOf, startTestnet } from './testnet';
import {
  chunkedValue,
  contentOfValues,
  masterWithContent,
  offChainContent,
  snakeValue,
} from './token-content';

const ON_CHAIN = {
  name: 'Local Dollar',
  symbol: 'USDL',
  decimals: 6,
  description: 'On the chain',
  image: '',
};
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><script>alert(1)</script><rect width="2" height="1" fill="#f00"/></svg>',
);
const DOCUMENT = 'https://tokens.example/semi.json';
const documents: Record<string, string | null> = {
  [DOCUMENT]: JSON.stringify({
    name: 'not used: the chain has one',
    image: 'ipfs://bafy/semi.png',
    custom_payload_api_uri: 'https://tokens.example/payload',
  }),
  'https://tokens.example/off.json': JSON.stringify({ name: 'Off', symbol: 'OFF', decimals: '3' }),
  'https://tokens.example/down.json': null,
  'https://tokens.example/drawn.json': JSON.stringify({
    name: 'Drawn',
    symbol: 'DRN',
    image_data: SVG.toString('base64'),
  }),
};
const web = webOf(documents);

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
let dollar: JettonMaster;
let semi: JettonMaster;
let off: JettonMaster;
let down: JettonMaster;

/** Milliseconds by which the program's clock is ahead. */
let ahead = 0;

const value = toNano('0.2');
const mint = (master: JettonMaster, to: LocalWallet, amount: bigint) =>
  internal({
    to: master.address,
    value,
    init: master.init,
    body: mintBody({ to: to.contract.address, amount, value: toNano('0.1') }),
  });
const walletOf = (master: JettonMaster, { contract }: LocalWallet): Address =>
  jettonWalletAddress(master.address, contract.address);

const send = (from: LocalWallet, to: LocalWallet, master: JettonMaster, amount: bigint, comment?: string) =>
  transfer(client, from, [
    internal({
      to: walletOf(master, from),
      value,
      body: jettonTransferBody({
        to: to.contract.address,
        amount,
        response: from.contract.address,
        forwardValue: toNano('0.01'),
        ...(comment !== undefined && { comment }),
      }),
    }),
  ]);

const verify = async (master: Address, verification: TokenVerification): Promise<void> => {
  const address = master.toRawString();
  const metadata = { now: new Date().toISOString(), actor: 'test' };
  const set = { type: 'set', network: 'testnet', address, verification, metadata } as const;
  const handle = createHandle({ store: network.engines.store });
  await handle(tokenKind, tokenStream('testnet', address), set);
};

const get = async (path: string, status = 200) => (await request(network.app).get(path).expect(status)).body;
const post = async (path: string, body: object, status = 200) =>
  (await request(network.app).post(path).send(body).expect(status)).body;
const hintsOf = (wallet: LocalWallet): Promise<FullHints> =>
  get(`/hints/full/${encodeURIComponent(addressOf(wallet))}?isTestnet=true`);

beforeAll(async () => {
  const clock = () => new Date(Date.now() + ahead);
  ({ network, client, alice, bob } = await startTestnet({ watched: true, web, clock }));
  const admin = alice.contract.address;
  dollar = jettonMaster(admin, ON_CHAIN);
  const semiChain = { name: 'Semi', symbol: 'SEMI', decimals: 0, uri: DOCUMENT, description: '', image: '' };
  semi = masterWithContent(admin, onChainContent(semiChain));
  off = masterWithContent(admin, offChainContent('https://tokens.example/off.json'));
  down = masterWithContent(admin, offChainContent('https://tokens.example/down.json'));
  await transfer(client, alice, [
    mint(dollar, alice, 1_000_000n),
    mint(semi, alice, 77n),
    mint(off, alice, 5n),
    mint(down, alice, 5n),
  ]);
});
afterAll(() => network.close());

describe('GET /hints/full/{address}', () => {
  it('is empty for who has no jettons', async () => {
    expect(await hintsOf(localWallet('without jettons', 'v5r1', 'testnet'))).toEqual({
      hints: [],
      addressesIndex: {},
    });
  });

  it('has a jetton that was just received, with its balance and what it says of itself', async () => {
    await send(alice, bob, dollar, 250_000n, 'for bob');
    const { hints, addressesIndex } = await until(
      () => hintsOf(bob),
      found => found.hints.length === 1,
    );
    expect(hints).toEqual([
      {
        balance: '250000',
        at: expect.any(String),
        walletAddress: { address: friendly(walletOf(dollar, bob)), isScam: false, isWallet: true },
        jetton: {
          address: friendly(dollar.address),
          name: 'Local Dollar',
          symbol: 'USDL',
          decimals: 6,
          image: '',
          verification: 'none',
        },
      },
    ]);
    expect(addressesIndex).toEqual({ [friendly(dollar.address)]: 0, [friendly(walletOf(dollar, bob))]: 0 });
  });

  it('has the price of a jetton in dollars, and what changed since a time of which a price is known', async () => {
    const { log } = network.engines;
    const asset = assetKey('live', {
      type: 'jetton',
      network: 'testnet',
      master: dollar.address.toRawString(),
    });
    const priced = (price: string, daysAgo: number) => {
      const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
      const record: PriceRecord = { asset, source: 'double', price, at, readAt: at, quorum: 1 };
      return { key: asset, value: Buffer.from(JSON.stringify(record)) };
    };
    await log.declare([PRICES_TOPIC]);
    await log.publish(PRICES_TOPIC.name, [priced('1.00', 7), priced('1.25', 1), priced('1.5', 0)]);
    const { hints } = await until(
      () => hintsOf(bob),
      ({ hints }) => hints[0]?.price !== undefined,
    );
    expect(hints).toMatchObject([
      {
        balance: '250000',
        price: {
          prices: { USD: 1.5 },
          diff24h: { USD: '+20.00%' },
          diff7d: { USD: '+50.00%' },
          diff30d: {},
          at: expect.any(String),
        },
      },
    ]);
  });

  it('has the balance after the newest transaction, and keeps a jetton that was spent', async () => {
    await send(bob, alice, dollar, 250_000n);
    const spent = await until(
      () => hintsOf(bob),
      found => found.hints[0]!.balance === '0',
    );
    expect(spent.addressesIndex).toHaveProperty(friendly(walletOf(dollar, bob)), 0);
    expect(
      (
        await until(
          () => hintsOf(alice),
          ({ hints }) => hints[0]?.balance === '1000000',
        )
      ).hints,
    ).toHaveLength(1);
  });

  it('names in its index the jetton wallet that history names', async () => {
    const { transactions } = (await get(`/transactions/${addressOf(bob)}`)) as {
      transactions: { parsed: { resolvedAddress: string }; operation: { items: { kind: string }[] } }[];
    };
    const rows = transactions.filter(({ operation }) => operation.items[0]!.kind === 'token');
    expect(rows).toHaveLength(2);
    const { addressesIndex } = await hintsOf(bob);
    for (const { parsed } of rows) expect(addressesIndex).toHaveProperty(parsed.resolvedAddress);
  });

  it('merges content on the chain with its document, and leaves out a jetton whose decimals nobody knows', async () => {
    for (const master of [semi, off, down]) await send(alice, bob, master, 2n);
    const { hints } = await until(
      () => hintsOf(bob),
      found => found.hints.length === 3,
    );
    const jettons = new Map(hints.map(({ jetton, ...rest }) => [jetton.address, { ...jetton, ...rest }]));
    expect(jettons.get(friendly(semi.address))).toMatchObject({
      name: 'Semi',
      decimals: 0,
      balance: '2',
      image: 'https://ipfs.io/ipfs/bafy/semi.png',
      customPayloadApiUri: 'https://tokens.example/payload',
      extensions: ['custom_payload'],
    });
    expect(jettons.get(friendly(off.address))).toMatchObject({ name: 'Off', symbol: 'OFF', decimals: 3 });
    expect(jettons.has(friendly(down.address))).toBe(false);
  });

  it('is known of an owner whom nobody watched before, once its history is', async () => {
    const carol = localWallet('carol of tokens', 'v4r2', 'testnet');
    await network.devnet.faucet(rawOf(carol), toNano(1));
    await send(alice, carol, dollar, 7n);
    const { hints } = await until(
      () => hintsOf(carol),
      found => found.hints.length === 1,
    );
    expect(hints[0]!.balance).toBe('7');
  });

  it('trusts no token but those that an operator trusts, and marks frauds', async () => {
    const verificationOf = async () => {
      const { hints } = await hintsOf(bob);
      const { jetton, walletAddress } = hints.find(each => each.jetton.address === friendly(dollar.address))!;
      return [jetton.verification, walletAddress.isScam];
    };
    expect(await verificationOf()).toEqual(['none', false]);
    for (const [verification, isScam] of [
      ['blacklist', true],
      ['whitelist', false],
      ['none', false],
    ] as const) {
      await verify(dollar.address, verification);
      await until(
        async () => expect(await verificationOf()).toEqual([verification, isScam]),
        () => true,
      );
    }
  });

  it('does not believe the notification of a contract that no master confirms', async () => {
    const forged = beginCell()
      .storeUint(JETTON_OP.transferNotification, 32)
      .storeUint(0, 64)
      .storeCoins(1_000_000n)
      .storeAddress(alice.contract.address)
      .storeBit(false)
      .endCell();
    await transfer(client, alice, [
      internal({ to: bob.contract.address, value, body: forged, bounce: false }),
    ]);
    const received = await until(async () => {
      const { transactions } = await get(`/transactions/${addressOf(bob)}`);
      return transactions[0].parsed.resolvedAddress === addressOf(alice);
    });
    expect(received).toBe(true);
    const { hints } = await hintsOf(bob);
    expect(hints.map(({ balance }) => balance).sort()).toEqual(['0', '2', '2']);
  });
});

it('lists the extra currencies of an account, of which most have none, in GET /hints/extra/{address}', async () => {
  expect(await get(`/hints/extra/${addressOf(bob)}?isTestnet=true`)).toEqual([]);
});

it('has the extra currency that an account has received and kept, with what the instance knows of it', async () => {
  const dave = localWallet('dave of tokens', 'v5r1', 'testnet');
  const extra = () => get(`/hints/extra/${addressOf(dave)}`);
  for (const amount of [250n, 5n]) await network.devnet.faucet(rawOf(dave), toNano(1), amount);
  const found = await until(extra, ([currency]) => currency?.amount === '255');
  expect(found).toEqual([
    { amount: '255', at: expect.any(String), preview: { id: 100, symbol: 'LOCALX', decimals: 8 } },
  ]);
});

describe('GET /mintless/jettons/{master}/transfer/{owner}/payload', () => {
  const ask = (master: Address, status = 200) =>
    get(`/mintless/jettons/${friendly(master)}/transfer/${addressOf(bob)}/payload`, status);

  it('has nothing to attach for a jetton without a server', async () => {
    expect(await ask(dollar.address)).toEqual({
      customPayload: null,
      stateInit: null,
      at: expect.any(String),
    });
  });

  it('is not ready while the server of the jetton has never answered', async () => {
    expect(await ask(semi.address, 503)).toMatchObject({ code: 'not_ready' });
  });

  it('is nothing for a contract that is not a master', async () => {
    expect(await ask(alice.contract.address)).toMatchObject({ customPayload: null, stateInit: null });
  });
});

it('lists no mintless jettons where operators trust none', async () => {
  expect(await get(`/mintless/jettons/${addressOf(bob)}`)).toEqual([]);
});

it('follows whose mintless jettons are read: in the block of a claim it is known that what was read before is outdated', async () => {
  const heidi = localWallet('heidi of tokens', 'v5r1', 'testnet');
  await get(`/mintless/jettons/${addressOf(heidi)}`);
  const watches: string[] = [];
  const stream = watchStream({ chain: 'ton', network: 'testnet', address: rawOf(heidi) });
  for await (const { type } of network.engines.store.readStream(stream)) watches.push(type);
  expect(watches).toHaveLength(1);
});

it('lists the masters in GET /hints/{address}', async () => {
  const { hints, now } = await get(`/hints/${addressOf(bob)}?version=1`);
  expect(new Set(hints)).toEqual(new Set([dollar, semi, off].map(({ address }) => friendly(address))));
  expect(now).toBeGreaterThan(1_700_000_000);
});

describe('GET /jettons/metadata', () => {
  it('has what is on the chain', async () => {
    expect(await get(`/jettons/metadata?address=${friendly(dollar.address)}`)).toEqual({
      name: 'Local Dollar',
      symbol: 'USDL',
      description: 'On the chain',
      decimals: 6,
      originalImage: null,
      image: null,
      totalSupply: '1000000',
      mintable: true,
      admin: addressOf(alice),
      address: friendly(dollar.address),
      at: expect.any(String),
    });
  });

  it('reads the document of one that is not on the chain', async () => {
    expect(await get(`/jettons/metadata?address=${off.address.toRawString()}&isTestnet=true`)).toMatchObject({
      name: 'Off',
      symbol: 'OFF',
      decimals: 3,
    });
  });

  it('does not invent decimals when the document cannot be read', async () => {
    expect(await get(`/jettons/metadata?address=${friendly(down.address)}`)).toMatchObject({
      name: null,
      decimals: null,
      totalSupply: '5',
    });
  });

  it('is all null for another contract', async () => {
    expect(await get(`/jettons/metadata?address=${addressOf(alice)}`)).toMatchObject({
      name: null,
      symbol: null,
    });
  });

  it('refuses a test-only address on mainnet', async () => {
    const { code, errors } = await get(
      `/jettons/metadata?address=${friendly(dollar.address)}&isTestnet=false`,
      400,
    );
    expect([code, errors[0].pointer]).toEqual(['network_mismatch', '/query/isTestnet']);
  });
});

describe('a jetton that contains its image', () => {
  const pathOf = (url: string): string => url.replace(PUBLIC_URL, '');
  const webpOf = async (url: string) => {
    const answer = await request(network.app).get(pathOf(url)).expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    return sharp(answer.body as Buffer)
      .raw()
      .toBuffer({ resolveWithObject: true });
  };
  it.each([
    ['on the chain, in snake format', 0],
    ['on the chain, in chunks', 1],
    ['in its document, as SVG', 2],
  ])('is shown with it: %s', async (_where, at) => {
    const photo = await sharp(randomBytes(40 * 20 * 3), { raw: { width: 40, height: 20, channels: 3 } })
      .png()
      .toBuffer();
    const text = { name: snakeValue('Contained'), symbol: snakeValue('CNT'), decimals: snakeValue('2') };
    const content = [
      contentOfValues({ ...text, image_data: snakeValue(photo) }),
      contentOfValues({ ...text, image_data: chunkedValue(photo) }),
      offChainContent('https://tokens.example/drawn.json'),
    ][at]!;
    const master = masterWithContent(alice.contract.address, content);
    await transfer(client, alice, [mint(master, alice, 100n)]);
    await send(alice, bob, master, 10n);
    const { originalImage } = await get(`/jettons/metadata?address=${friendly(master.address)}`);
    expect(originalImage).toContain(`${PUBLIC_URL}/tokens/image?`);
    const { data, info } = await webpOf(originalImage);
    if (at < 2) expect(info).toMatchObject({ width: 40, height: 20 });
    else expect([info.width, info.height, data[0]! > 240, data[1]! < 16]).toEqual([512, 256, true, true]);
    const metadata = await get(`/metadata/${friendly(master.address)}`);
    const { hints } = await until(
      () => hintsOf(bob),
      found => found.hints.some(({ jetton }) => jetton.address === friendly(master.address)),
    );
    const hint = hints.find(({ jetton }) => jetton.address === friendly(master.address));
    expect([metadata.image, hint!.jetton.image]).toEqual([originalImage, originalImage]);
  });

  it('is a 404 of one that contains none, and of what is no token', async () => {
    for (const address of [friendly(dollar.address), addressOf(alice)])
      expect(await get(`/tokens/image?address=${address}`, 404)).toMatchObject({
        code: 'token_image_not_found',
      });
  });
});

describe('POST /jettons/wallet/address', () => {
  const ask = (master: Address, status = 200) =>
    post(
      '/jettons/wallet/address',
      { address: addressOf(bob), master: friendly(master), isTestnet: true, seqno: 1 },
      status,
    );

  it('is the wallet as the master says', async () => {
    expect(await ask(dollar.address)).toEqual({ address: friendly(walletOf(dollar, bob)) });
  });

  it('is null for a contract that is not a master', async () => {
    expect(await ask(alice.contract.address)).toBeNull();
  });
});

describe('GET /jettons/wallet/{walletAddress}', () => {
  const ask = (wallet: Address, status = 200) =>
    get(`/jettons/wallet/${friendly(wallet)}?seqno=1&isTestnet=true`, status);

  it('has balance, owner and master', async () => {
    expect(await ask(walletOf(semi, bob))).toMatchObject({
      balance: '2',
      owner: addressOf(bob),
      master: friendly(semi.address),
      metadata: { name: 'Semi', decimals: 0 },
    });
  });

  it('is null for a contract that no master confirms', async () => {
    expect(await ask(alice.contract.address)).toBeNull();
  });
});

describe('POST /jettons/wallet/transactions', () => {
  const ask = (body: object = {}): Promise<JettonTransfer[]> =>
    post('/jettons/wallet/transactions', {
      address: addressOf(bob),
      master: friendly(dollar.address),
      isTestnet: true,
      ...body,
    });

  it('lists what was received and sent, newest first', async () => {
    const [sent, received, ...more] = await ask();
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      source: addressOf(bob),
      destination: addressOf(alice),
      source_wallet: friendly(walletOf(dollar, bob)),
      jetton_master: friendly(dollar.address),
      amount: '250000',
      forward_ton_amount: '10000000',
      response_destination: addressOf(bob),
      transaction_aborted: false,
    });
    expect(received).toMatchObject({
      source: addressOf(alice),
      destination: addressOf(bob),
      source_wallet: friendly(walletOf(dollar, alice)),
      amount: '250000',
      forward_ton_amount: '10000000',
    });
    expect(received!.forward_payload).not.toBeNull();
    const { transactions } = await get(`/transactions/${addressOf(bob)}`);
    const lts = (transactions as { lt: string; hash: string }[]).map(({ lt, hash }) => `${lt} ${hash}`);
    for (const { transaction_lt, transaction_hash } of [sent!, received!])
      expect(lts).toContain(`${transaction_lt} ${transaction_hash}`);
  });

  it('begins the next page with the last transfer of the page before', async () => {
    const [sent, received] = await ask();
    const first = await ask({ limit: 1 });
    expect(first).toEqual([sent]);
    expect(await ask({ limit: 2, beforeLt: sent!.transaction_lt })).toEqual([sent, received]);
    expect(await ask({ beforeLt: received!.transaction_lt })).toEqual([received]);
  });

  it('is found by the jetton wallet alone, which its master has to confirm', async () => {
    const whole = await ask();
    const address = friendly(walletOf(dollar, bob));
    expect(await post('/jettons/wallet/transactions', { address })).toEqual(whole);
    const raw = { address: walletOf(dollar, bob).toRawString(), isTestnet: true, limit: 1 };
    expect(await post('/jettons/wallet/transactions', raw)).toEqual(whole.slice(0, 1));
    const { body } = await request(network.app)
      .post('/jettons/wallet/transactions')
      .send({ address: addressOf(bob) })
      .expect(404);
    expect(body.code).toBe('jetton_wallet_not_found');
  });

  it('is empty for a jetton that the owner never had', async () => {
    expect(await ask({ master: addressOf(alice) })).toEqual([]);
  });
});

describe('a jetton that was minted without a notification, which no transaction names that is followed', () => {
  const erin = localWallet('erin of tokens', 'v5r1', 'testnet');
  const held = async (master: JettonMaster): Promise<bigint> => {
    const { last } = await client.getLastBlock();
    const wallet = walletOf(master, erin);
    if (!(await client.isContractDeployed(last.seqno, wallet))) return 0n;
    return (await client.runMethod(last.seqno, wallet, 'get_wallet_data')).reader.readBigNumber();
  };
  const give = async (master: JettonMaster, amount: bigint) => {
    const before = await held(master);
    await transfer(client, alice, [mint(master, erin, amount)]);
    await until(
      () => held(master),
      now => now === before + amount,
    );
  };
  const balances = ({ hints }: FullHints) =>
    Object.fromEntries(hints.map(({ jetton, balance }) => [jetton.symbol, balance]));

  it('is in the first hints of its owner, with its wallet in the index', async () => {
    await give(dollar, 9n);
    // Until then the masters are asked that were known in the test before.
    ahead += 31_000;
    const hints = await hintsOf(erin);
    expect(balances(hints)).toEqual({ USDL: '9' });
    expect(hints.addressesIndex).toEqual({
      [friendly(dollar.address)]: 0,
      [friendly(walletOf(dollar, erin))]: 0,
    });
    const { transactions } = await get(`/transactions/${addressOf(erin)}`);
    expect(transactions).toEqual([]);
  });

  it('is in later hints of an owner who has others, and changes with what is received next', async () => {
    await give(semi, 3n);
    await give(dollar, 1n);
    expect(balances(await hintsOf(erin))).toEqual({ USDL: '9' });
    ahead += 61_000;
    const found = await until(
      () => hintsOf(erin),
      hints => hints.hints.length === 2 && balances(hints)['USDL'] === '10',
    );
    expect(balances(found)).toEqual({ USDL: '10', SEMI: '3' });
  });
});

describe('a jetton received without a notification from an account that is followed', () => {
  const frank = localWallet('frank of tokens', 'v5r1', 'testnet');
  const give = (amount: bigint, from = alice) =>
    transfer(client, from, [
      internal({
        to: walletOf(semi, from),
        value,
        body: jettonTransferBody({
          to: frank.contract.address,
          amount,
          response: from.contract.address,
          forwardValue: 0n,
        }),
      }),
    ]);
  const shown = async () =>
    (await hintsOf(frank)).hints.map(({ jetton, balance }) => [jetton.symbol, balance]);

  // A fraud is not among the masters that are asked for wallets of any owner.
  beforeAll(() => verify(semi.address, 'blacklist'));
  afterAll(() => verify(semi.address, 'none'));

  it('is in the hints of its owner at once, and changes with what is received next', async () => {
    expect(await shown()).toEqual([]);
    await give(5n);
    await until(shown, found => found.length > 0);
    expect(await shown()).toEqual([['SEMI', '5']]);
    await give(2n);
    await until(shown, ([hint]) => hint![1] === '7');
  });

  it('is not there when it was sent by someone who has none', async () => {
    const grace = localWallet('grace of tokens', 'v5r1', 'testnet');
    const received = async () => (await hintsOf(grace)).hints.length;
    expect(await received()).toBe(0);
    await transfer(client, alice, [
      internal({
        to: walletOf(semi, alice),
        value,
        body: jettonTransferBody({
          to: grace.contract.address,
          amount: 10n ** 30n,
          response: alice.contract.address,
          forwardValue: 0n,
        }),
      }),
    ]);
    const reading = received();
    // It is asked for until two blocks later.
    for (let block = 0; block < 2; block++)
      await transfer(client, alice, [internal({ to: bob.contract.address, value: 1n, bounce: false })]);
    expect(await reading).toBe(0);
  });
});

describe('a mintless jetton', () => {
  const SERVER = 'https://tokens.example/mintless';
  let mintless: MintlessJetton;

  const unclaimed = (): Promise<MintlessHint[]> => get(`/mintless/jettons/${addressOf(alice)}`);
  const payload = () =>
    get(
      `/mintless/jettons/${friendly(mintless.address)}/transfer/${addressOf(alice)}/payload?` +
        `customPayloadApiUri=${encodeURIComponent('https://elsewhere.example')}`,
    );
  const isMintless = ({ jetton }: FullHints['hints'][number]): boolean =>
    jetton.address === friendly(mintless.address);
  const balanceOnChain = async (): Promise<bigint> => {
    const { last } = await client.getLastBlock();
    const wallet = mintless.walletOf(alice.contract.address);
    const { reader } = await client.runMethod(last.seqno, wallet, 'get_wallet_data');
    return reader.readBigNumber();
  };
  /** Sends bob 100, with a payload. */
  const spend = async ({ customPayload, stateInit }: { customPayload: string; stateInit: string }) =>
    transfer(client, alice, [
      internal({
        to: mintless.walletOf(alice.contract.address),
        value,
        init: loadStateInit(Cell.fromBase64(stateInit).beginParse()) as StateInit,
        body: jettonTransferBody({
          to: bob.contract.address,
          amount: 100n,
          response: alice.contract.address,
          forwardValue: 0n,
          customPayload: Cell.fromBase64(customPayload),
        }),
      }),
    ]);

  beforeAll(async () => {
    const content = { ...ON_CHAIN, name: 'Mintless', symbol: 'LESS', custom_payload_api_uri: SERVER };
    const owners = [alice, bob].map(({ contract }) => contract.address);
    mintless = mintlessJetton(
      onChainContent(content),
      owners.map((owner, n) => [owner, 500n * BigInt(n + 1)]),
    );
    for (const owner of owners)
      documents[`${SERVER}/wallet/${owner.toRawString()}`] = JSON.stringify(
        payloadAnswer(owner, mintless.claimOf(owner)!),
      );
    await transfer(client, alice, [
      internal({ to: mintless.address, value, init: mintless.init, body: Cell.EMPTY }),
    ]);
  });

  it('is listed with what an owner has not claimed, once an operator trusts it', async () => {
    expect(await unclaimed()).toEqual([]);
    await verify(mintless.address, 'whitelist');
    const [hint, ...more] = await until(unclaimed, found => found.length > 0);
    expect(more).toEqual([]);
    expect(hint).toEqual({
      balance: '500',
      at: expect.any(String),
      walletAddress: {
        address: friendly(mintless.walletOf(alice.contract.address)),
        isScam: false,
        isWallet: true,
      },
      jetton: {
        address: friendly(mintless.address),
        name: 'Mintless',
        symbol: 'LESS',
        decimals: 6,
        image: '',
        verification: 'whitelist',
        customPayloadApiUri: SERVER,
      },
      extensions: ['custom_payload'],
    });
  });

  it('is claimed with the payload, which its contract takes once; then nothing is left to claim', async () => {
    const given = await payload();
    await spend(given);
    expect(await balanceOnChain()).toBe(400n);
    const { hints } = await until(
      () => hintsOf(alice),
      shown => shown.hints.some(isMintless),
    );
    expect(hints.find(isMintless)!.balance).toBe('400');
    expect(await unclaimed()).toEqual([]);
    const left = await until(payload, ({ customPayload }) => customPayload === null);
    expect(left).toEqual({ customPayload: null, stateInit: null, at: expect.any(String) });
    await spend(given);
    expect(await balanceOnChain()).toBe(400n);
    expect((await hintsOf(alice)).hints.find(isMintless)!.balance).toBe('400');
  });
});
