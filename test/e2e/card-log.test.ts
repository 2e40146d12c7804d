import { randomUUID } from 'node:crypto';
import { signWebhook } from '../../contracts/card-issuer/signature';
import type { IssuerWebhookInput } from '../../contracts/card-issuer/webhooks';
import { cardUserId } from '../../contracts/events/card-user';
import { doubleSecrets } from '../../infra/program/features/card/issuer';
import { cardClient, keysOf, type Answer } from '../card/holder';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { startTidemark, type Tidemark } from './tidemark';

jest.setTimeout(900_000);

/* What is secret or personal of a card holder is in no line of the log, at the level that writes most of them. */

const folder = temporaryFolder();
let program: Tidemark;
beforeAll(async () => {
  program = await startTidemark({
    DATA_DIR: folder,
    LOCAL_TRAFFIC: 'false',
    LOG_LEVEL: 'trace',
    TON_RPC_URL_MAINNET: 'local',
    SOLANA_RPC_URL_MAINNET: 'local',
  });
});
afterAll(() => program?.kill('SIGTERM'));

const PROFILE = {
  firstName: 'Wilhelmine',
  lastName: 'Xanthopoulos',
  middleName: 'Quenby',
  dateOfBirth: '1971-03-29',
  documentKind: 'passport',
  documentNumber: 'PZ8841907',
  country: 'DE',
  documentCountry: 'DE',
};
const DELIVERY = {
  countryCode: 'DE',
  address: 'Rosenthaler Winkel 47, Uelzen',
  phone: '+4958112233445',
  email: 'parcels@xanthopoulos.example',
  postalCode: 'UE29525',
};
const CONTACTS = { phone: '+4958199887766', email: 'wilhelmine@xanthopoulos.example' };
const CODES = { otp_code: 'Zq7Kx2Vb', activation_code: 'Lm4Wt9Ys' } as const;
const APPLE = {
  certificates: ['QXBwbGVDZXJ0aWZpY2F0ZQ=='],
  nonce: 'Tm9uY2VPZkE=',
  nonceSignature: 'U2lnbmF0dXJlT2ZB',
};
const GOOGLE = { walletAccountId: 'wallet-of-wilhelmine', deviceId: 'device-of-wilhelmine' };

/** Sends a webhook as the double does. */
async function send(webhook: IssuerWebhookInput): Promise<void> {
  const { secret } = await doubleSecrets({ DATA_DIR: folder } as Parameters<typeof doubleSecrets>[0]);
  const signed = {
    id: `msg_${randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    body: JSON.stringify(webhook),
  };
  const response = await fetch(`${program.url}/card/webhooks/issuer`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': signed.id,
      'webhook-timestamp': signed.timestamp,
      'webhook-signature': signWebhook(signed, secret),
    },
    body: signed.body,
  });
  expect(await response.json()).toMatchObject({ ok: true, result: 'recorded' });
}

it('nothing that is secret or personal is logged while somebody enrols, is identified, orders, and is asked for codes', async () => {
  const client = cardClient(`${program.url}/card`);
  const proofs = client.proofs(keysOf('wilhelmine'));
  const enrolled = await client.post('/v2/user/wallet/connect', proofs);
  const token = enrolled.body['token'] as string;
  const post = (path: string, body: object = {}) => client.post(path, { token, ...body });
  const values: string[] = [token, ...proofs.map(({ key }) => key.config.proof.signature)];
  const refused = async (answer: Promise<Answer>) =>
    expect((await answer).status).toBeGreaterThanOrEqual(400);

  for (const kind of ['phone', 'email'] as const) {
    const { body } = await post(`/v2/user/${kind}/start`, { [kind]: CONTACTS[kind] });
    const { code } = body['sandbox'] as { code: string };
    values.push(CONTACTS[kind]);
    await refused(post(`/v2/user/${kind}/start`, { [kind]: `${CONTACTS[kind]} ` }));
    const wrong = code === '918273' ? '918274' : '918273';
    await refused(post(`/v2/user/${kind}/confirm`, { code: wrong }));
    expect((await post(`/v2/user/${kind}/confirm`, { code })).status).toBe(200);
  }
  await post('/v2/user/kyc/start');
  const state = async () => (await post('/account/state')).body['state'] as { state: string };
  await until(async () => (await state()).state === 'ok');
  const userId = cardUserId('mainnet', keysOf('wilhelmine').publicKey.toString('hex'));
  const later = new Date(Date.now() + 60_000).toISOString();
  await send({ type: 'kyc.decided', data: { userId, result: 'GREEN', decidedAt: later, profile: PROFILE } });
  const profile = async () => (await post('/v2/profile/get')).body['data'];
  await until(
    async () => (await profile()) as { lastName: string },
    each => each.lastName === PROFILE.lastName,
  );

  type Account = { id: string; network: string; cards: { id: string; lastFourDigits?: string }[] };
  const accounts = async () => (await post('/v2/account/list')).body['list'] as Account[];
  const account = (await until(accounts, list => list.length === 2)).find(each => each.network !== 'solana')!;
  const prepaid = { accountId: account.id, key: 'plastic', type: 'PREPAID', delivery: DELIVERY };
  await refused(
    post('/v2/card/order', { ...prepaid, delivery: { ...DELIVERY, phone: `${DELIVERY.phone}x` } }),
  );
  const { id } = (await post('/v2/card/order', prepaid)).body['card'] as { id: string };
  expect((await post('/v2/card/pay', { id })).status).toBe(200);
  const wallets = async () => (await post('/v2/card/provisioning/list')).body['cards'] as object[];
  await until(async () => (await wallets()).length === 1);

  const asked: unknown[] = [];
  for (const kind of ['otp_code', 'activation_code'] as const) {
    const challengeId = `txn-${randomUUID()}`;
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const challenge = {
      challengeId,
      cardId: id,
      occurredAt: new Date().toISOString(),
      expiresAt,
      code: CODES[kind],
    };
    const amount = { amount: '100', currency: 'USD' };
    await send({
      type: 'challenge.requested',
      data: kind === 'otp_code' ? { ...challenge, kind, amount } : { ...challenge, kind },
    });
    await until(async () => JSON.stringify((await post('/v2/user/otp/requests')).body).includes(CODES[kind]));
    const answer = { data: { id: challengeId, status: 'CONFIRMED' } };
    asked.push((await post('/v2/user/otp/requests/confirm', answer)).body['error']);
    await send({
      type: 'challenge.ended',
      data: { challengeId, cardId: id, occurredAt: new Date().toISOString(), outcome: 'expired' },
    });
  }
  expect(asked).toEqual(Array<string>(2).fill('not_confirmation_type'));

  const apple = await post('/v2/card/get/apple/provisioning/data', { id, params: APPLE });
  const google = await post('/v2/card/get/google/provisioning/data', { id, params: GOOGLE });
  expect([apple.status, google.status]).toEqual([200, 200]);
  await refused(post('/v2/card/get/apple/provisioning/data', { id, params: { ...APPLE, nonce: 7 } }));
  const encrypted = [apple, google].flatMap(({ body }) =>
    Object.values(body['data'] as Record<string, string>),
  );

  await program.kill('SIGTERM');
  const { countryCode: _, ...where } = DELIVERY;
  const { country: _country, documentCountry: _of, documentKind: _kind, ...who } = PROFILE;
  values.push(...encrypted, ...Object.values(where), ...Object.values(who), ...Object.values(CODES));
  values.push(...APPLE.certificates, APPLE.nonce, APPLE.nonceSignature, ...Object.values(GOOGLE));
  const log = program.output();
  // It has lines of refused requests, so that something would be found.
  expect(log).toContain('request refused');
  expect(values.filter(value => log.includes(value))).toEqual([]);
});
