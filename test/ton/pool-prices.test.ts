import { Address, beginCell, type Cell, type TupleItem } from '@ton/core';
import { poolPriceJob, type Jetton } from '../../contracts/chain/pool-prices';
import { PRICES_TOPIC, type PriceRealm, type PriceRecord } from '../../contracts/chain/prices';
import { TON_NETWORKS, type TonNetwork } from '../../contracts/network/network';
import type { Clients } from '../../contracts/observation/observation';
import { startTonTraffic, type TonTraffic } from '../../infra/devnet/ton/traffic/traffic';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { onChainContent } from '../../infra/devnet/ton/token-content';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { DEDUST_FACTORY } from '../../indexers/ton/observations/contract-kinds';
import { workPoolPrices } from '../../indexers/ton/pools/worker';
import { quietDevnet, silent } from '../devnet/ton';
import { openRecordedJobs } from '../doubles/jobs';
import { InMemoryLog } from '../doubles/log';
import { NO_WEB, webOf } from '../doubles/public-web';
import { type GetMethods, openTonServer } from '../doubles/ton-server';
import { until } from '../until';
import { accountAt } from './scripted-chain';

const NOW = Date.UTC(2026, 0, 1, 12);
const TON_AT = new Date(NOW - 20_000).toISOString();
const stop = new AbortController();
afterAll(() => stop.abort());

/** The quotes that are published for a jetton that somebody asks for. TON costs three dollars. */
async function quotes(
  url: string,
  jetton: Jetton,
  {
    realm = 'live' as PriceRealm,
    networks = TON_NETWORKS as readonly TonNetwork[],
    web = NO_WEB,
    ton = '3.00' as string | null,
  } = {},
) {
  const log = new InMemoryLog();
  const jobs = openRecordedJobs();
  const ending = new AbortController();
  const client = createTonClient({ urls: [url], logger: silent, backoffMs: 1, signal: stop.signal });
  const clients = { ton: () => client, web } as Partial<Clients> as Clients;
  const priceOfTon = async () => (ton === null ? null : { price: ton, at: TON_AT });
  await log.declare([PRICES_TOPIC]);
  const job = { ...poolPriceJob(jetton), attempts: 1 };
  const working = workPoolPrices(
    { realm, networks, clients, jobs, log, priceOfTon, now: () => NOW },
    ending.signal,
  );
  await jobs.add(job);
  await until(async () => {
    const { waiting, running } = await jobs.counts(job.queue);
    return waiting + running === 0;
  });
  const { failed } = await jobs.counts(job.queue);
  ending.abort();
  await working;
  await jobs.close();
  const published = log.stored.messages(PRICES_TOPIC.name);
  return { failed, records: published.map(({ value }) => JSON.parse(value.toString()) as PriceRecord) };
}

describe('on a local network', () => {
  const leave = new AbortController();
  let devnet: TonDevnet;
  let traffic: TonTraffic;

  beforeAll(async () => {
    // A pool that is new has a price once it was there at most of the marks that are read, which go on with blocks.
    devnet = await quietDevnet({ blockIntervalMs: 1_000 });
    const options = {
      network: 'testnet',
      url: devnet.url,
      fund: devnet.faucet,
      pace: () => 3_600_000,
    } as const;
    traffic = await startTonTraffic({ ...options, logger: silent }, leave.signal);
  });
  afterAll(async () => {
    leave.abort();
    await traffic.running;
    await devnet.close();
  });

  const pricesOf = async (symbol: string): Promise<PriceRecord[]> => {
    const { master } = traffic.description.jettons.find(jetton => jetton.symbol === symbol)!;
    const raw = Address.parse(master).toRawString();
    // The one with semi-chain content has its decimals on the chain: no document is read.
    return (await quotes(devnet.url, { network: 'testnet', master: raw }, { realm: 'local' })).records;
  };

  it.each([
    ['LOCAL', '1.00'],
    ['SEMI', '0.25'],
  ])('%s costs what its pool says, by the price of TON', async (symbol, price) => {
    const records = await until(
      () => pricesOf(symbol),
      ({ length }) => length > 0,
    );
    expect(records).toMatchObject([
      { source: 'local-dex', price, at: TON_AT, readAt: new Date(NOW).toISOString(), quorum: 1 },
    ]);
  });

  it('is not read once the network is off', async () => {
    const { master } = traffic.description.jettons.find(({ symbol }) => symbol === 'LOCAL')!;
    const jetton = { network: 'testnet', master: Address.parse(master).toRawString() } as const;
    const networks = ['mainnet'] as const;
    expect(await quotes('http://127.0.0.1:9', jetton, { realm: 'local', networks })).toEqual({
      failed: 0,
      records: [],
    });
  });

  it.each(['ORPHAN', 'LESS'])('%s has no pool, and no price', async symbol => {
    expect(await pricesOf(symbol)).toEqual([]);
  });

  it('a contract that is no jetton has no price', async () => {
    const { rawAddress: master } = traffic.description.accounts[0]!;
    const nobody = { network: 'testnet', master } as const;
    expect(await quotes(devnet.url, nobody, { realm: 'local' })).toEqual({ failed: 0, records: [] });
  });
});

describe('on mainnet', () => {
  const [MASTER, POOL] = [1, 2].map(accountAt) as [string, string];
  const jetton = { network: 'mainnet', master: MASTER } as const;
  const slice = (cell: Cell): TupleItem => ({ type: 'slice', cell });
  const int = (value: bigint): TupleItem => ({ type: 'int', value });
  const address = (raw: string): TupleItem =>
    slice(beginCell().storeAddress(Address.parseRaw(raw)).endCell());
  const native = slice(beginCell().storeUint(0, 4).endCell());
  const asset = slice(
    beginCell().storeUint(1, 4).storeInt(0, 8).storeBuffer(Address.parseRaw(MASTER).hash).endCell(),
  );

  let contracts: GetMethods | null = null;
  let server: Awaited<ReturnType<typeof openTonServer>>;
  beforeAll(async () => {
    server = await openTonServer(() => contracts);
  });
  afterAll(() => server.close());

  /** Handwritten: a jetton with this content, and its pool on DeDust with 2,000 TON. */
  const pool =
    (content: Cell, jettons: bigint): GetMethods =>
    ({ contract, method }) => {
      switch (`${contract} ${method}`) {
        case `${DEDUST_FACTORY} get_pool_address`:
          return [address(POOL)];
        case `${POOL} get_assets`:
          return [native, asset];
        case `${POOL} get_reserves`:
          return [int(2_000n * 10n ** 9n), int(jettons)];
        case `${MASTER} get_jetton_data`: {
          const code = beginCell().endCell();
          return [
            int(jettons),
            int(-1n),
            address(POOL),
            { type: 'cell', cell: content },
            { type: 'cell', cell: code },
          ];
        }
        default:
          return null;
      }
    };
  const document = beginCell().storeUint(1, 8).storeStringTail('https://a.example/jetton.json').endCell();
  const web = (text: string | null) => webOf({ 'https://a.example/jetton.json': text });

  it.each([
    ['0', 4_000n],
    ['9', 4_000n * 10n ** 9n],
    ['30', 4_000n * 10n ** 30n],
    ['255', 4_000n * 10n ** 30n],
  ])('a jetton of %s decimals has a price, if one can be said', async (decimals, jettons) => {
    contracts = pool(onChainContent({ decimals }), jettons);
    const { records, failed } = await quotes(server.url, jetton);
    expect(failed).toBe(0);
    const expected = { asset: `live/jetton/mainnet/${MASTER}`, source: 'dedust', price: '1.50' };
    expect(records).toMatchObject(decimals === '255' ? [] : [expected]);
  });

  it.each([
    ['that does not say has nine', '{"symbol":"X"}', ['1.50']],
    ['says it in its document', '{"decimals":"6"}', ['0.0015']],
    ['that cannot be read has no price', null, []],
    ['that is no document has no price', '[]', []],
  ] as const)('a jetton whose decimals are off the chain: one %s', async (_what, text, prices) => {
    contracts = pool(document, 4_000n * 10n ** 9n);
    const { records } = await quotes(server.url, jetton, { web: web(text) });
    expect(records.map(({ price }) => price)).toEqual(prices);
  });

  it('no jetton has a price before TON has one, or while TON does not answer', async () => {
    contracts = pool(onChainContent({ decimals: 9 }), 4_000n);
    expect(await quotes(server.url, jetton, { ton: null })).toEqual({ failed: 1, records: [] });
    contracts = null;
    expect(await quotes(server.url, jetton)).toEqual({ failed: 1, records: [] });
  });

  it('on the test network no exchange is known', async () => {
    contracts = pool(onChainContent({ decimals: 9 }), 4_000n);
    const asked = { network: 'testnet', master: MASTER } as const;
    expect(await quotes(server.url, asked)).toEqual({ failed: 0, records: [] });
  });
});
