import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '../program';
import type { Tidemark } from '../../e2e/tidemark';
import { temporaryFolder } from '../../temporary-folder';
import { until } from '../../until';
import { CardApp } from './card-app';
import * as schemas from './schemas';

jest.setTimeout(600_000);

/* The wallet app enrols with the card service of a program that was only just started, and uses it until it is logged out. */

const LOCAL = {
  TON_RPC_URL_MAINNET: 'local',
  TON_RPC_URL_TESTNET: 'local',
  SOLANA_RPC_URL_MAINNET: 'local',
  SOLANA_RPC_URL_DEVNET: 'local',
};

const folder = temporaryFolder();
let program: Tidemark;
beforeAll(async () => {
  program = await startProgram(folder, LOCAL);
});
afterAll(() => program?.kill('SIGTERM'));

const appOf = (seed: Buffer = randomBytes(32)) => new CardApp(`${program.url}/card`, program.url, seed);

async function stateOf(app: CardApp, token: string) {
  return (await app.read(schemas.state, '/account/state', { token })).state;
}

it('the product is shown to a wallet before it enrols', async () => {
  const body = {
    wallet: 'EQAREREREREREREREREREREREREREREREREREREREREREeYT',
    network: 'ton-mainnet',
    region: { countryCode: 'DE', storeFrontCode: 'DE' },
    dataDrivenBanners: true,
  };
  expect(await appOf().read(schemas.invitation, '/v2/invite/wallet/check/v2', body)).toMatchObject({
    allowed: true,
  });
});

describe('a wallet of both chains', () => {
  const seed = randomBytes(32);

  it('enrols, and enrols again, as the same user', async () => {
    const app = appOf(seed);
    const first = await app.enrol();
    expect(await stateOf(app, first)).toMatchObject({ state: 'need-phone', suspended: false });
    await sleep(1_000);
    const second = await app.enrol();
    expect(second).not.toBe(first);
    const profiles = await Promise.all(
      [first, second].map(token => app.read(schemas.profile, '/v2/profile/get', { token })),
    );
    expect(profiles[0]!.data.userId).toBe(profiles[1]!.data.userId);
    expect(await app.read(schemas.iban, '/v2/promo/iban', { token: first })).toEqual({
      ok: true,
      enabled: false,
    });
  });

  it('takes its steps, is notified of each, and is still known after the program was killed', async () => {
    await sleep(1_000);
    const app = appOf(seed);
    const token = await app.enrol();
    const { socket, frames } = app.updates(token);
    await until(() => frames.some(({ type }) => type === 'connected'));

    for (const [kind, contact] of [
      ['phone', '+4930123456'],
      ['email', 'somebody@example.com'],
    ] as const) {
      const before = frames.length;
      const asked = await app.post(`/v2/user/${kind}/start`, { token, [kind]: contact });
      const { code } = (asked.body as { sandbox: { code: string } }).sandbox;
      await app.read(schemas.state, `/v2/user/${kind}/confirm`, { token, code });
      await until(() => frames.slice(before).some(({ type }) => type === 'state_change'));
    }
    expect(await stateOf(app, token)).toMatchObject({ state: 'need-kyc', kycStatus: null });
    await app.read(schemas.state, '/v2/user/kyc/start', { token });
    socket.close();

    await program.kill('SIGKILL');
    program = await startProgram(folder, LOCAL);
    const again = appOf(seed);
    // The issuer decides soon after it was asked: before the program was killed, or after.
    await until(async () => (await stateOf(again, token)).state === 'ok');
    const { data } = await again.read(schemas.profile, '/v2/profile/get', { token });
    expect(data).toMatchObject({ phone: '+4930123456', email: 'somebody@example.com', emailVerified: true });
  });
});

it('a Ledger enrols with its wallet of TON, and is the same user with another wallet of its key', async () => {
  const app = appOf();
  const { token } = await app.read(schemas.enrolled, '/v2/user/wallet/connect', await app.proofOfLedger());
  const { token: other } = await app.read(schemas.enrolled, '/v2/user/wallet/connect', await app.proofs());
  const ids = [token, other].map(
    async each => (await app.read(schemas.profile, '/v2/profile/get', { token: each })).data.userId,
  );
  expect(await ids[0]).toBe(await ids[1]);
});

it('a wallet of the test networks enrols at their mount, and nowhere else', async () => {
  const seed = randomBytes(32);
  const test = new CardApp(`${program.url}/card/testnet`, program.url, seed, 'testnet');
  const token = await test.enrol();
  expect(await stateOf(test, token)).toMatchObject({ state: 'need-phone' });
  const answer = await appOf(seed).post('/v2/user/wallet/connect', await test.proofs());
  expect(answer.status).toBe(400);
});

it('a dead token logs out, by a 401, and the stream says so too', async () => {
  const app = appOf();
  const token = 'A'.repeat(43);
  for (const path of ['/account/state', '/v2/profile/get'])
    expect((await app.post(path, { token })).status).toBe(401);
  const { socket, frames } = app.updates(token);
  await once(socket, 'close');
  expect(frames).toEqual([{ type: 'error', message: 'invalid_token' }]);
});
