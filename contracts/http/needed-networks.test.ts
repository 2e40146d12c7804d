import { z } from 'zod';
import { ENDPOINTS } from '../../test/endpoints';
import { errorsOf, type Endpoint } from './endpoint';

/** To these a network or an address only says which records are meant: they answer where the network is off. */
const LABELS = [
  '/appconfig/{network}',
  '/appconfig/versions/{network}',
  '/apps/reports',
  '/apps/reviews',
  '/card/v2/card/order',
  '/card/v2/invite/wallet/check/v2',
  '/card/v2/public/accounts',
  '/card/v2/user/wallet/connect',
  '/connect/answer',
  '/connect/init',
  '/exchange/dex',
  '/exchange/transaction/create',
  '/exchange/transactions',
  '/exchange/widget',
  '/push/register',
  '/service-address/check',
  '/token/info',
  '/wallet-request/create',
  '/wallet-request/respond',
  '/wallet-request/{address}/{network}/list',
  '/wallet-request/{address}/{network}/watch/ws',
];

const NAMES = /network|testnet|^address$|Address$/i;

/** The names of all members, at any depth. */
function membersOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as { properties?: Readonly<Record<string, unknown>> };
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), ...Object.values(rest)].flatMap(membersOf),
  ];
}

const namesNetwork = ({ params, query, body }: Endpoint): boolean =>
  [params, query, body].some(
    schema =>
      schema !== undefined &&
      membersOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).some(name =>
        NAMES.test(name),
      ),
  );

it('each endpoint that names a network says whether it needs it', () => {
  const silent = ENDPOINTS.filter(endpoint => namesNetwork(endpoint) && !endpoint.needs);
  expect([...new Set(silent.map(({ path }) => path))].sort()).toEqual([...LABELS].sort());
});

it('each endpoint that needs a network documents that it may be off', () => {
  const needing = ENDPOINTS.filter(({ needs }) => needs);
  expect(needing.length).toBeGreaterThan(40);
  for (const endpoint of needing) expect(errorsOf(endpoint)).toContain('network_off');
});
