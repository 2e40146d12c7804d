import { Address } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import { LOCAL_DOLLAR } from '../../contracts/chain/local-market';
import type { TonClient } from '../../contracts/ports/ton-client';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { type TonTraffic, startTonTraffic } from '../../infra/devnet/ton/traffic/traffic';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { localPriceOfTon } from '../../indexers/ton/pools/local-coin';
import { clientOf, quietDevnet, silent } from '../devnet/ton';
import { until } from '../until';

const stop = new AbortController();
let devnet: TonDevnet;
let api: TonClient4;
let client: TonClient;
let traffic: TonTraffic;

beforeAll(async () => {
  devnet = await quietDevnet({ network: 'mainnet' });
  api = clientOf(devnet.url);
  client = createTonClient({ urls: [devnet.url], logger: silent, signal: stop.signal });
  const options = { network: 'mainnet', url: devnet.url, fund: devnet.faucet, pace: () => 50 } as const;
  traffic = await startTonTraffic({ ...options, logger: silent }, stop.signal);
});
afterAll(async () => {
  stop.abort();
  await traffic.running;
  await devnet.close();
});

const priceOfTon = async (): Promise<number> => Number(await localPriceOfTon(client));

it('TON costs on the local network what accounts pay for it there, and its price moves with what they trade', async () => {
  const [{ jetton, pool }] = traffic.description.dex.pools as [{ jetton: string; pool: string }];
  expect(Address.parse(jetton).toRawString()).toBe(LOCAL_DOLLAR);

  // There is one once the pool was there at most of the marks that are read.
  const first = await until(priceOfTon);
  expect(first).toBeGreaterThan(2.9);
  expect(first).toBeLessThan(3.1);
  await until(priceOfTon, price => price !== first);
  const { last } = await api.getLastBlock();
  const { reader } = await api.runMethod(last.seqno, Address.parse(pool), 'get_reserves');
  const [coins, dollars] = [reader.readNumber() / 1e9, reader.readNumber() / 1e6];
  expect((await priceOfTon()) / (dollars / coins)).toBeCloseTo(1, 1);
});
