import { randomBytes } from 'node:crypto';
import { cardClient, keysOf } from '../../card/holder';
import * as app from '../../outside-client/card/schemas';
import { until } from '../../until';
import { post, type Row, type World } from './requests';

const mountOf = ({ network }: World): string => (network === 'mainnet' ? '/card' : '/card/testnet');

/** As the app and the specification write it: it is the same. */
const alike = (world: World, path: string, body: object, says: unknown) => ({
  app: post(`${mountOf(world)}${path}`, body),
  spec: null,
  says,
});

const clientOf = (world: World) => cardClient(`${world.url}${mountOf(world)}`, world.network);

/** Somebody who has enrolled just now. */
async function enrolled(world: World) {
  const client = clientOf(world);
  const token = await client.enrol(keysOf(randomBytes(8).toString('hex')));
  const call = async (path: string, body: object = {}) =>
    (await client.post(path, { token, ...body })).body as Record<string, never>;
  return { token, call };
}

/** Somebody who was identified, and has ordered a card. */
async function ordered(world: World) {
  const { token, call } = await enrolled(world);
  for (const [kind, contact] of [
    ['phone', '+4930123456'],
    ['email', 'somebody@example.com'],
  ] as const) {
    const { code } = (await call(`/v2/user/${kind}/start`, { [kind]: contact }))['sandbox']!;
    await call(`/v2/user/${kind}/confirm`, { code });
  }
  await call('/v2/user/kyc/start');
  await until(async () => (await call('/account/state'))['state']!['state'] === 'ok');
  const { list } = await until(
    () => call('/v2/account/list'),
    answer => (answer['list'] as unknown as unknown[]).length === 2,
  );
  const [{ id: accountId }] = list as unknown as [{ id: string }];
  const { id } = (await call('/v2/card/order', { accountId, key: 'dialects' }))['card']!;
  return { token, id };
}

export const CARD_ROWS: readonly Row[] = [
  {
    row: 'POST /v2/user/wallet/connect',
    accepts: () => app.enrolled,
    // Each signature once.
    ask: world =>
      alike(
        world,
        '/v2/user/wallet/connect',
        clientOf(world).proofs(keysOf(randomBytes(8).toString('hex'))),
        { ok: true },
      ),
  },
  {
    row: 'POST /account/state',
    accepts: () => app.state,
    ask: async world => {
      const { token } = await enrolled(world);
      return alike(world, '/account/state', { token }, { ok: true, state: { state: 'need-phone' } });
    },
  },
  {
    row: 'POST /v2/profile/get',
    accepts: () => app.profile,
    ask: async world => {
      const { token } = await enrolled(world);
      return alike(world, '/v2/profile/get', { token }, { ok: true, data: { emailVerified: false } });
    },
  },
  {
    row: 'POST /card/get',
    accepts: () => app.card,
    ask: async world => {
      const { token, id } = await ordered(world);
      const config = { id, state: 'WAITING_FOR_PAYMENT', balance: '0' };
      return alike(world, '/card/get', { token, id }, { ok: true, config });
    },
  },
];
