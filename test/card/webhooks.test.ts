import { randomBytes, randomUUID } from 'node:crypto';
import type { IssuerWebhookInput } from '../../contracts/card-issuer/webhooks';
import { cardStream } from '../../contracts/events/card';
import { cardAccountStream } from '../../contracts/events/card-account';
import { cardUserStream } from '../../contracts/events/card-user';
import { availableOf } from '../../services/card/account/balance';
import { cardAccountKind } from '../../services/card/account/decider';
import { changeCard } from '../../services/card/card/commands';
import { cardKind } from '../../services/card/card/decider';
import { cardUserKind } from '../../services/card/user/decider';
import { createHandle } from '../../services/commands/handle';
import { load } from '../../services/commands/load';
import type { TestProgram } from '../program';
import { cardClient, keysOf, type Answer } from './holder';
import { openCard, recordingIssuer, SECRETS, webhookSender } from './issuer';
import { startCardProgram } from './program';

const issuer = recordingIssuer();
let program: TestProgram;
let url: string;
let webhooks: ReturnType<typeof webhookSender>;
let ids: Awaited<ReturnType<typeof openCard>>;
const now = Math.floor(Date.now() / 1_000) * 1_000;
const at = new Date(now).toISOString();

beforeAll(async () => {
  program = await startCardProgram(issuer, { clock: () => new Date(now) });
  url = await program.listen();
  webhooks = webhookSender(`${url}/card`, () => now);
});
afterAll(() => program.stop());

async function newCard(rest = {}) {
  const name = randomUUID();
  await cardClient(`${url}/card`, 'mainnet', now).enrol(keysOf(name));
  const opened = await openCard(program, name, at, rest);
  await webhooks.send({
    type: 'card.issued',
    data: { cardId: opened.cardId, occurredAt: at, issuerCardId: 'issuer-1', lastFourDigits: '4242' },
  });
  return opened;
}
beforeEach(async () => void (ids = await newCard()));

const euros = (amount: number | string) => ({ amount: String(amount), currency: 'EUR' });
const about = (amount: number | string, transactionId = 'txn-1') => ({
  cardId: ids.cardId,
  occurredAt: at,
  transactionId,
  rate: { units: '1', per: '1' },
  merchantAmount: euros(amount),
  cardAmount: euros(amount),
});
const request = (amount: number | string, transactionId?: string): IssuerWebhookInput => ({
  type: 'authorisation.requested',
  data: about(amount, transactionId),
});
const clearing = (amount: number, ofAuthorisation: number, final = true): IssuerWebhookInput => ({
  type: 'purchase.cleared',
  data: { ...about(amount), ofAuthorisation: String(ofAuthorisation), final, forced: false },
});
const resultOf = ({ status, body }: Answer) =>
  [status, body['result'] ?? body['code'], ...(body['reason'] ? [body['reason']] : [])].join(' ');
const balance = async (accountId = ids.accountId) => {
  const { balance } = (await load(
    program.deps.engines.store,
    cardAccountKind,
    cardAccountStream(accountId),
  ))!;
  return { posted: balance.posted, held: balance.held, available: availableOf(balance).toString() };
};
const cardOf = (cardId = ids.cardId) => load(program.deps.engines.store, cardKind, cardStream(cardId));

describe('a webhook is refused', () => {
  it.each([
    ['that another secret signs', { signedBy: [randomBytes(32)] }],
    ['whose body is another one', { sent: '{"type":"authorisation.requested" }' }],
    ['that was signed six minutes ago', { at: now - 360_000 }],
    ['that will be signed in six minutes', { at: now + 360_000 }],
    ['with another id than was signed', { headers: { 'webhook-id': 'msg_other' } }],
    ['with another time than was signed', { headers: { 'webhook-timestamp': String(now / 1_000 + 1) } }],
    ['with a time that is none', { headers: { 'webhook-timestamp': '1e9' } }],
    ['without signatures', { signedBy: [] }],
    ['with a signature of another scheme', { headers: { 'webhook-signature': 'v2,AAAA' } }],
    ['with an id that is none', { id: '../x' }],
  ])('%s', async (_, options) => {
    expect(resultOf(await webhooks.send(request(100), options))).toBe('401 card_webhook_refused');
    expect(await balance()).toMatchObject({ held: '0' });
  });

  it('that was written again, though it says the same', async () => {
    const body = JSON.stringify(request(100));
    const again = JSON.stringify(JSON.parse(body), null, 1);
    expect(resultOf(await webhooks.sendText(body, { sent: again }))).toBe('401 card_webhook_refused');
  });

  it('that is larger than 64 KiB', async () => {
    const body = JSON.stringify({ ...request(100), filler: 'x'.repeat(70_000) });
    expect(resultOf(await webhooks.sendText(body))).toBe('413 body_too_large');
  });
});

it('either of two secrets signs, beside signatures by others', async () => {
  const signedBy = [randomBytes(32), SECRETS[1]!];
  expect(resultOf(await webhooks.send(request(100), { signedBy }))).toBe('200 approved');
});

it('an authorisation is approved while there is money, and declined with the reason then', async () => {
  expect(resultOf(await webhooks.send(request(70_000, 'a')))).toBe('200 approved');
  expect(resultOf(await webhooks.send(request(70_000, 'b')))).toBe('200 declined insufficient_funds');
  expect(await balance()).toEqual({ posted: '100000', held: '70000', available: '30000' });
});

it('of requests at the same time not more are approved than there is money for', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => webhooks.send(request(30_000, `parallel-${n}`))),
  );
  const results = answers.map(resultOf).sort();
  expect(results).toEqual([
    ...Array<string>(3).fill('200 approved'),
    ...Array<string>(5).fill('200 declined insufficient_funds'),
  ]);
});

it('the same id again has the same answer and changes nothing, whatever has happened between', async () => {
  const id = 'msg_same';
  expect(resultOf(await webhooks.send(request(70_000, 'a'), { id }))).toBe('200 approved');
  expect(resultOf(await webhooks.send(request(70_000, 'b'), { id: 'msg_b' }))).toMatch('declined');
  expect(resultOf(await webhooks.send(request(70_000, 'a'), { id }))).toBe('200 approved');
  await webhooks.send({ type: 'authorisation.voided', data: about(0, 'a') });
  expect(resultOf(await webhooks.send(request(70_000, 'b'), { id: 'msg_b' }))).toMatch('declined');
  expect(await balance()).toMatchObject({ held: '0' });
});

it('the vector of the facts, each webhook twice', async () => {
  const twice = async (webhook: IssuerWebhookInput, expected: object) => {
    const id = `msg_${randomUUID()}`;
    for (const _ of [1, 2]) expect((await webhooks.send(webhook, { id })).status).toBe(200);
    expect(await balance()).toMatchObject(expected);
  };
  await twice(request(2_500), { available: '97500' });
  await twice({ type: 'increment.requested', data: about(500) }, { available: '97000' });
  await twice({ type: 'authorisation.reversed', data: about(1_000) }, { available: '98000' });
  await twice(clearing(1_200, 1_200, false), { posted: '98800', held: '800' });
  await twice(clearing(1_000, 1_000), { posted: '97800', held: '0' });
  const force = { ...about(99_000, 'forced'), ofAuthorisation: '0', final: true, forced: true };
  await twice({ type: 'purchase.cleared', data: force }, { posted: '-1200' });
  const refund = { ...about(500, 'refund'), purchaseId: 'txn-1', full: false };
  await twice({ type: 'purchase.refunded', data: refund }, { posted: '-700' });
});

it('webhooks in reverse order end the same', async () => {
  const reversal: IssuerWebhookInput = { type: 'authorisation.reversed', data: about(1_000) };
  const increment: IssuerWebhookInput = { type: 'increment.requested', data: about(500) };
  const messages = [
    clearing(1_000, 1_000),
    request(2_500),
    clearing(1_200, 1_200, false),
    reversal,
    increment,
  ];
  for (const webhook of messages) expect((await webhooks.send(webhook)).status).toBe(200);
  expect(await balance()).toEqual({ posted: '97800', held: '0', available: '97800' });
});

describe('an issuer that has decided itself', () => {
  const decided = (type: 'authorisation.decided' | 'increment.decided', approved: boolean, amount = 2_500) =>
    webhooks.send({ type, data: { ...about(amount), requestId: 'msg_request', approved } });
  const asked = () => webhooks.send(request(2_500), { id: 'msg_request' });

  it.each([
    ['approved what never arrived here', [() => decided('authorisation.decided', true)], '2500'],
    ['approved before the request arrives', [() => decided('authorisation.decided', true), asked], '2500'],
    ['approved after it', [asked, () => decided('authorisation.decided', true)], '2500'],
    ['declined as the answer was late', [asked, () => decided('authorisation.decided', false)], '0'],
    ['declined before the request arrives', [() => decided('authorisation.decided', false), asked], '0'],
  ])('%s', async (_, steps, held) => {
    for (const step of steps) expect((await step()).status).toBe(200);
    expect(await balance()).toMatchObject({ held });
  });

  it('approved what was declined here', async () => {
    const result = await webhooks.send(request(150_000), { id: 'msg_request' });
    expect(resultOf(result)).toBe('200 declined insufficient_funds');
    await decided('authorisation.decided', true, 150_000);
    expect(await balance()).toMatchObject({ held: '150000', available: '-50000' });
  });

  it.each([true, false])('an increment that was approved here, and there: %p', async approved => {
    await webhooks.send(request(1_000));
    await webhooks.send({ type: 'increment.requested', data: about(500) }, { id: 'msg_request' });
    await decided('increment.decided', approved, 500);
    expect(await balance()).toMatchObject({ held: approved ? '1500' : '1000' });
  });

  it('an increment that arrives after the decision counts once', async () => {
    await webhooks.send(request(1_000));
    await decided('increment.decided', true, 500);
    await webhooks.send({ type: 'increment.requested', data: about(500) }, { id: 'msg_request' });
    expect(await balance()).toMatchObject({ held: '1500' });
  });
});

describe('a card', () => {
  const ask = (type: 'freeze' | 'close', occurredAt = at) =>
    changeCard({ handle: createHandle(program.deps.engines) }, ids.cardId, {
      type,
      by: 'holder',
      reason: '',
      occurredAt,
      metadata: { now: at, actor: 'holder' },
    });
  const changed = (to: 'frozen' | 'unfrozen' | 'closed'): IssuerWebhookInput => ({
    type: 'card.changed',
    data: { cardId: ids.cardId, occurredAt: at, to },
  });

  it('declines from the moment its freeze is asked for', async () => {
    await ask('freeze');
    expect(resultOf(await webhooks.send(request(100)))).toBe('200 declined card_frozen');
    await webhooks.send(changed('frozen'));
    expect((await cardOf())!.usage).toBe('frozen');
    expect(resultOf(await webhooks.send(request(100, 'b')))).toBe('200 declined card_frozen');
  });

  it('approves nothing that arrives after its freeze, whatever was asked at the same time', async () => {
    const racing = Array.from({ length: 6 }, (_, n) => webhooks.send(request(100, `racing-${n}`)));
    await ask('freeze');
    expect(resultOf(await webhooks.send(request(100, 'late')))).toBe('200 declined card_frozen');
    const approved = (await Promise.all(racing)).filter(answer => resultOf(answer) === '200 approved');
    expect(await balance()).toMatchObject({ held: String(100 * approved.length) });
  });

  it('holds nothing of a purchase that was declined, though its holder confirms it later', async () => {
    expect(resultOf(await webhooks.send(request(150_000)))).toBe('200 declined insufficient_funds');
    const challenge = { cardId: ids.cardId, challengeId: `txn-${randomUUID()}`, occurredAt: at };
    const kind = 'confirmation_request';
    const expiresAt = new Date(now + 60_000).toISOString();
    for (const webhook of [
      { type: 'challenge.requested', data: { ...challenge, kind, amount: euros(150_000), expiresAt } },
      { type: 'challenge.ended', data: { ...challenge, outcome: 'confirmed' } },
    ] as const)
      expect(resultOf(await webhooks.send(webhook))).toBe('200 recorded');
    expect(await balance()).toEqual({ posted: '100000', held: '0', available: '100000' });
  });

  it('that is closed is cleared, and declines', async () => {
    await webhooks.send(request(2_500));
    await ask('close');
    expect(resultOf(await webhooks.send(clearing(2_500, 2_500)))).toBe('200 recorded');
    expect(resultOf(await webhooks.send(request(100, 'b')))).toBe('200 declined card_closed');
    expect(await balance()).toMatchObject({ posted: '97500', held: '0' });
  });

  it('of a holder who is suspended declines', async () => {
    await createHandle(program.deps.engines)(cardUserKind, cardUserStream(ids.userId), {
      type: 'suspend',
      reason: { subject: ids.userId, ciphertext: 'v1.A.A' },
      metadata: { now: at, actor: 'cli:anna' },
    });
    expect(resultOf(await webhooks.send(request(100)))).toBe('200 declined user_suspended');
  });

  it.each(['JPY', 'KWD'])(
    'of a currency with other decimals counts its smallest units: %s',
    async currency => {
      ids = await newCard({ fiatCurrency: currency });
      const data = { ...about(1_250), cardAmount: { amount: '1250', currency } };
      expect(resultOf(await webhooks.send({ type: 'authorisation.requested', data }))).toBe('200 approved');
      expect(await balance()).toMatchObject({ held: '1250' });
    },
  );

  it('takes an authorisation of 0, which holds nothing', async () => {
    expect(resultOf(await webhooks.send(request(0)))).toBe('200 approved');
    expect(await balance()).toMatchObject({ held: '0' });
  });
});

describe('a webhook is set aside, answered, and shown', () => {
  const unknown = () => ({ ...about(100), cardId: randomUUID() });
  it.each([
    ['of an unknown type', () => ({ type: 'card.painted', data: {} }), 'unknown_type'],
    ['of an unknown card', () => ({ type: 'authorisation.requested', data: unknown() }), 'unknown_card'],
    [
      'of an unknown user',
      () => ({ type: 'kyc.decided', data: { userId: randomUUID(), result: 'GREEN', decidedAt: at } }),
      'unknown_user',
    ],
    ['with a negative amount', () => request('-100'), 'unreadable'],
    ['with an amount that is no integer', () => request('12.50'), 'unreadable'],
    [
      'with a rate of 0',
      () => ({ ...request(1), data: { ...about(1), rate: { units: '1', per: '0' } } }),
      'unreadable',
    ],
    [
      'in another currency than the card has',
      () => ({ ...request(1), data: { ...about(1), cardAmount: { amount: '1', currency: 'JPY' } } }),
      'other_currency',
    ],
    ['that is a list', () => [], 'unknown_type'],
    ['that is null', () => null, 'unknown_type'],
  ])('%s', async (_, webhook, reason) => {
    const answer = await webhooks.sendText(JSON.stringify(webhook()));
    expect(resultOf(answer)).toBe(`200 set_aside ${reason}`);
    await program.projected();
    const [api] = [await fetch(`${url}/health/ready`)];
    expect(await api.json()).toMatchObject({ status: 'degraded' });
    expect(await balance()).toMatchObject({ held: '0' });
  });

  it('that is no JSON', async () => {
    expect(resultOf(await webhooks.sendText('{'))).toBe('200 set_aside unreadable');
  });

  it('of a card of the other network', async () => {
    const testnet = webhookSender(`${url}/card/testnet`, () => now);
    expect(resultOf(await testnet.send(request(100)))).toBe('200 set_aside unknown_card');
  });

  it('once, however often it is repeated', async () => {
    const count = async () => {
      let found = 0;
      for await (const page of program.deps.engines.store.readAll({ categories: ['cardWebhook'] }))
        found += page.length;
      return found;
    };
    const before = await count();
    for (const _ of [1, 2, 3]) await webhooks.sendText('{', { id: 'msg_repeated' });
    expect(await count()).toBe(before + 1);
  });
});

it('a decision about a person counts by its time: RED after GREEN, and not an earlier one', async () => {
  const decided = (result: 'GREEN' | 'RED', decidedAt: string) =>
    webhooks.send({ type: 'kyc.decided', data: { userId: ids.userId, result, decidedAt } });
  const later = (ms: number) => new Date(now + ms).toISOString();
  const result = async () =>
    (await load(program.deps.engines.store, cardUserKind, cardUserStream(ids.userId)))!.kyc.result;
  await decided('RED', later(60_000));
  expect(await result()).toBe('RED');
  await decided('GREEN', later(30_000));
  expect(await result()).toBe('RED');
});
