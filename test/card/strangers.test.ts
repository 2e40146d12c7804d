import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../contracts/http/endpoint';
import { CARD } from '../../contracts/http/card/mount';
import { cardTokenStream } from '../../contracts/events/card-token';
import { MAX_OPEN_CARDS } from '../../services/card/card/decider';
import { cardTokenKind } from '../../services/card/tokens/decider';
import { digestOfToken } from '../../services/card/tokens/digest';
import { ENDPOINTS } from '../endpoints';
import type { TestProgram } from '../program';
import { cardClient, keysOf, type Answer } from './holder';
import { openCard, recordingIssuer, webhookSender } from './issuer';
import { startCardProgram } from './program';

type Body = Readonly<Record<string, unknown>>;

/** The endpoints that take a token, each with a body that it accepts. */
const WITH_TOKEN = ENDPOINTS.filter(({ group, kind }) => group === CARD && kind !== 'websocket').flatMap(
  ({ path, examples = [] }: Endpoint) => {
    const body = Object(examples[0]?.body) as Body;
    return 'token' in body ? [{ path: path.replace('/card', ''), body }] : [];
  },
);

/** What a phone and its wallet call themselves. */
const OF_PHONES = new Set(['params.walletAccountId', 'params.deviceId']);

/** Where a body names something by its id. */
function referencesOf(body: object, at = ''): string[] {
  return Object.entries(body).flatMap(([key, value]) => {
    const path = `${at}${key}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return referencesOf(value as object, `${path}.`);
    return /^id$|Id$/.test(key) && !OF_PHONES.has(path) ? [path] : [];
  });
}

/** A body with another value at the path. */
function changed(body: Body, path: string, value: unknown): Body {
  const [key = '', ...rest] = path.split('.');
  return { ...body, [key]: rest.length > 0 ? changed(body[key] as Body, rest.join('.'), value) : value };
}

const REFERENCES = WITH_TOKEN.flatMap(({ path, body }) =>
  referencesOf(body).map(reference => [path, reference, body] as const),
);

const at = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
const issuer = recordingIssuer();
let program: TestProgram;
let url: string;
let client: ReturnType<typeof cardClient>;
let webhooks: ReturnType<typeof webhookSender>;
let mine: Awaited<ReturnType<typeof newHolder>>;
let other: Awaited<ReturnType<typeof newHolder>>;

beforeAll(async () => {
  program = await startCardProgram(issuer);
  url = await program.listen();
  client = cardClient(`${url}/card`);
  webhooks = webhookSender(`${url}/card`, Date.now);
  [mine, other] = [await newHolder(), await newHolder()];
  await program.projected();
});
afterAll(() => program.stop());

/** Somebody with an account, a card, a prepaid card with its account, and a question of the issuer. */
async function newHolder() {
  const name = randomUUID();
  const token = await client.enrol(keysOf(name));
  const { userId, accountId, cardId } = await openCard(program, name, at);
  await program.projected();
  const order = { token, accountId, key: 'prepaid', type: 'PREPAID' };
  const ordered = await client.post('/v2/card/order', order);
  const { id: prepaid } = ordered.body['card'] as { id: string };
  expect((await client.post('/v2/card/pay', { token, id: prepaid })).status).toBe(200);
  for (const issued of [cardId, prepaid]) {
    const data = { cardId: issued, occurredAt: at, issuerCardId: 'issuer-1', lastFourDigits: '4242' };
    expect((await webhooks.send({ type: 'card.issued', data })).body).toMatchObject({ result: 'recorded' });
  }
  const challengeId = `txn-${randomUUID()}`;
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const data = { challengeId, cardId, occurredAt: at, expiresAt, merchant: null };
  const amount = { amount: '1', currency: 'EUR' };
  const asked = await webhooks.send({
    type: 'challenge.requested',
    data: { ...data, kind: 'confirmation_request', amount },
  });
  expect(asked.body).toMatchObject({ result: 'recorded' });
  return { token, userId, accountId, cardId, prepaid, challengeId };
}

/** All that the holder is shown. */
async function shownTo({ token, cardId }: typeof mine): Promise<unknown[]> {
  await program.projected();
  const paths = ['/account/state', '/v2/account/list', '/v2/user/otp/requests', '/v2/card/provisioning/list'];
  const answers = paths.map(path => client.post(path, { token }));
  const events = client.post('/v2/card/events', { token, cardId, limit: 50 });
  return (await Promise.all([...answers, events])).map(({ body }) => body);
}

/** Without what differs between any two calls. */
function said({ status, body }: Answer): object {
  const { instance: _, requestId: _id, ...rest } = body;
  return { status, ...rest };
}

describe('with the token of another holder', () => {
  it.each(REFERENCES)('%s says of %s what it says of one that nobody has', async (path, reference, body) => {
    const before = await shownTo(other);
    const told = issuer.told.length;
    const { token, accountId, cardId, prepaid } = mine;
    const own = { ...body, token, ...('accountId' in body && { accountId }) };
    const usual = { ...own, ...('id' in body && { id: 'accountId' in body ? prepaid : cardId }) };
    const ask = async (value: string) => said(await client.post(path, changed(usual, reference, value)));
    const unknown = await ask(randomUUID());
    // The application takes no other status here.
    expect(unknown).toMatchObject(
      path.startsWith('/v2/user/otp')
        ? { status: 200, ok: false, error: 'expired' }
        : { status: 404, code: expect.stringMatching(/^card_(account_)?not_found$/) },
    );
    for (const foreign of [other.cardId, other.accountId, other.prepaid, other.challengeId, other.userId])
      expect(await ask(foreign)).toEqual(unknown);
    expect(await shownTo(other)).toEqual(before);
    expect(issuer.told.slice(told)).toEqual([]);
  });

  it('each endpoint that names something is tried', () => {
    expect(new Set(REFERENCES.map(([path]) => path)).size).toBeGreaterThan(12);
  });
});

describe('a token that is dead', () => {
  it.each(WITH_TOKEN.map(({ path, body }) => [path, body] as const))(
    'is a 401 at %s, whatever else is asked',
    async (path, body) => {
      const { token } = mine;
      const revoked = await client.enrol(keysOf(randomUUID()));
      const metadata = { now: at, actor: 'cli:anna' };
      const stream = cardTokenStream(digestOfToken(revoked));
      await program.deps.handle(cardTokenKind, stream, { type: 'revoke', metadata });
      await program.projected();
      const answers = [
        await client.post(path, { ...body, token: 'A'.repeat(43) }),
        await client.post(path, { ...body, token: revoked }),
        await client.post(`/testnet${path}`, { ...body, token }),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status: 401, body: { ok: false } });
      for (const { body } of answers) expect(body['code']).toBe('card_token_invalid');
      // A body that is wrong has no application forget its token.
      for (const wrong of [{ token: 1 }, { token: '' }, {}])
        expect((await client.post(path, wrong)).status).toBe(400);
    },
  );
});

it('a holder who orders cards without end has as many as it may, and another one orders its own', async () => {
  const [stranger, honest] = [await newHolder(), await newHolder()];
  const order = async ({ token, accountId }: typeof mine) => {
    await program.projected();
    return client.post('/v2/card/order', { token, accountId, key: randomUUID(), type: 'DEBIT' });
  };
  const answers: Answer[] = [];
  // One it has.
  for (let n = 1; n <= MAX_OPEN_CARDS; n += 1) answers.push(await order(stranger));
  const refused = answers.pop()!;
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_cards' } });
  expect((await order(honest)).status).toBe(200);
  expect((await order(stranger)).body).toMatchObject({ code: 'too_many_cards' });
});

describe('what somebody else has written', () => {
  const PAGE = '</script><script src="https://evil.example/x.js"></script>';
  const asked = async (path: string, body: object) => {
    const response = await fetch(`${url}/card${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/html', Origin: 'https://evil.example' },
      body: JSON.stringify(body),
    });
    const { status, headers } = response;
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    return { status, type: headers.get('content-type'), body: (await response.json()) as object };
  };

  it('never becomes a page, and no page elsewhere reads it', async () => {
    const { token, cardId } = mine;
    const amount = { amount: '1', currency: 'EUR' };
    const merchant = { dirtyName: PAGE, logoUrl: `javascript:alert("${PAGE}")` };
    const data = { cardId, transactionId: `txn-${randomUUID()}`, occurredAt: at, merchant };
    const request = { ...data, merchantAmount: amount, cardAmount: amount, rate: { units: '1', per: '1' } };
    await webhooks.send({ type: 'authorisation.requested', data: request });
    await program.projected();
    expect(await asked('/v2/card/events', { token, cardId, limit: 1 })).toMatchObject({
      status: 200,
      type: 'application/json; charset=utf-8',
      body: { data: { events: [{ data: { merchantInfo: merchant } }] } },
    });
    for (const id of [PAGE, '<img src=x>'])
      expect(await asked('/v2/card/freeze', { token, id })).toMatchObject({
        status: 404,
        type: 'application/problem+json',
        body: { code: 'card_not_found' },
      });
  });
});
