import request from 'supertest';
import { formatTonAddress } from '../../contracts/account/address';
import type { TonNetwork } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import type { TonNetworkConfig } from '../../contracts/chain/ton-network-config';
import type { AddressWarningDocument } from '../../projections/ton-config/address-warnings';
import { createTestApp } from '../../test/app';
import { tonConfigRoutes, type TonConfigDeps } from './routes';

const gas = {
  flatLimit: '100',
  flatPrice: '40000',
  gasPrice: '26214400',
  gasLimit: '1000000',
  specialGasLimit: '1000000',
  gasCredit: '10000',
  blockGasLimit: '10000000',
  freezeDueLimit: '100000000',
  deleteDueLimit: '1000000000',
};
const messages = {
  lumpPrice: '400000',
  bitPrice: '26214400',
  cellPrice: '2621440000',
  ihrPriceFactor: 98304,
  firstFraction: 21845,
  nextFraction: 21845,
};
const CONFIG: TonNetworkConfig = {
  dnsRoot: null,
  storage: [],
  gas: { masterchain: gas, workchain: gas },
  messages: { masterchain: messages, workchain: messages },
  limits: null,
  parameters: {},
};
const AT = '2026-11-20T12:00:00.000Z';

const raw = (digit: string): string => `0:${digit.repeat(64)}`;
const warning = (
  network: TonNetwork,
  address: string,
  warnings: AddressWarningDocument['warnings'],
): AddressWarningDocument => ({ _id: `ton:${network}:${address}`, network, address, warnings });

/** The answer with these documents; a wait brings no observation. */
async function configOf(
  query: string,
  observed: Partial<Record<TonNetwork, Observed<TonNetworkConfig>>>,
  warnings: readonly AddressWarningDocument[] = [],
) {
  const bindings = tonConfigRoutes({
    views: {
      cached: (_query, compute) => compute(),
      async *scan<D>() {
        yield warnings as readonly unknown[] as readonly D[];
      },
    },
    configs: {
      find: async ({ network }: { network: TonNetwork }) => observed[network] ?? null,
      source: () => ({ collection: 'configs' }),
      isStale: () => false,
      readDerived: (_subject: unknown, { find }: { find: () => Promise<unknown> }) => find(),
    } as unknown as TonConfigDeps['configs'],
  });
  const app = createTestApp(bindings);
  return (await request(app).get(`/config${query}`)).body as Record<string, unknown>;
}

it('has the configuration of the network that is asked for, mainnet by default', async () => {
  const observed = {
    mainnet: { height: 7, at: AT, data: CONFIG },
    testnet: { height: 9, at: AT, data: CONFIG },
  };
  const expected = (network: TonNetwork, seqno: number) => ({
    wallets: { restrict_send: [], spam: [] },
    network,
    config: { seqno, at: AT, ...CONFIG },
  });
  expect(await configOf('', observed)).toEqual(expected('mainnet', 7));
  expect(await configOf('?network=testnet', observed)).toEqual(expected('testnet', 9));
});

it('lists the addresses of both networks as wallets compare them, unless one is asked for', async () => {
  const warnings = [
    warning('mainnet', raw('a'), ['spam']),
    warning('mainnet', raw('b'), ['spam', 'restrict_send']),
    warning('testnet', raw('c'), ['spam']),
  ];
  const [a, b] = [formatTonAddress(raw('a'), 'mainnet'), formatTonAddress(raw('b'), 'mainnet')];
  const c = formatTonAddress(raw('c'), 'testnet');
  expect(await configOf('', {}, warnings)).toMatchObject({
    wallets: { spam: [a, b, c], restrict_send: [b] },
  });
  expect(await configOf('?network=testnet', {}, warnings)).toMatchObject({
    wallets: { spam: [c], restrict_send: [] },
  });
});

it('has the lists also while nothing is known of the network', async () => {
  expect(await configOf('', {}, [warning('mainnet', raw('a'), ['spam'])])).toEqual({
    wallets: { spam: [formatTonAddress(raw('a'), 'mainnet')], restrict_send: [] },
    network: 'mainnet',
    config: null,
  });
});
