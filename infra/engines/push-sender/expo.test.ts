import type { PushMessage, PushSender } from '../../../contracts/ports/push-sender';
import { until } from '../../../test/until';
import { startExpoDouble, type ExpoDouble, type ExpoFault } from '../../../test/doubles/expo';
import { openExpo, type ExpoRequest } from './expo';

const NOW = new Date('2026-11-23T12:00:00.000Z');

let expo: ExpoDouble;
let sender: PushSender;
let requests: ExpoRequest[];
const open = (options: { url?: string; timeoutMs?: number; accessToken?: string } = {}) =>
  openExpo({
    url: expo.url,
    clock: () => NOW,
    retryMinTimeoutMs: 1,
    onRequest: request => requests.push(request),
    ...options,
  });
beforeEach(async () => {
  requests = [];
  expo = await startExpoDouble();
  sender = await open();
});
afterEach(async () => {
  await sender.close();
  await expo.close();
});

const token = (n: number | string) => `ExponentPushToken[${n}]`;
const message = (to: string): PushMessage => ({
  to,
  title: 'Title',
  body: `to ${to}`,
  data: { type: 'incoming_transaction' },
  expiresAt: NOW.getTime() + 60_000,
});
const messages = (count: number) => Array.from({ length: count }, (_, n) => message(token(n)));
const timesSent = () => [...expo.sent.values()].map(({ length }) => length);
const send = async (...tokens: string[]) => sender.send(tokens.map(message));

it('sends a hundred messages with one call, each with its ticket, and has their receipts', async () => {
  const outcomes = await sender.send(messages(100));
  expect(expo.calls).toEqual([{ path: '/send', messages: 100, authorization: undefined }]);
  expect(expo.sent.get(token(42))).toEqual([
    { title: 'Title', body: `to ${token(42)}`, data: { type: 'incoming_transaction' } },
  ]);
  const tickets = outcomes.map(outcome => (outcome.type === 'accepted' ? outcome.ticket : ''));
  expect(new Set(tickets).size).toBe(100);
  const receipts = await sender.receipts([...tickets, 'unknown']);
  expect([...receipts.keys()].sort()).toEqual([...tickets].sort());
  expect(new Set([...receipts.values()].map(({ type }) => type))).toEqual(new Set(['delivered']));
});

it('says which messages were rejected, without their tokens', async () => {
  expo.devices
    .set(token('gone'), 'DeviceNotRegistered')
    .set(token('often'), 'MessageRateExceeded')
    .set(token('later'), { receipt: 'DeviceNotRegistered' });
  const outcomes = await send(token('a'), token('gone'), token('often'), token('later'));
  expect(outcomes).toMatchObject([
    { type: 'accepted' },
    { type: 'rejected', reason: 'device_not_registered' },
    { type: 'rejected', reason: 'message_rate_exceeded' },
    { type: 'accepted' },
  ]);
  expect(JSON.stringify(outcomes)).not.toContain('gone');
  const { ticket } = outcomes[3] as { ticket: string };
  const receipts = await sender.receipts([ticket]);
  expect(receipts.get(ticket)).toEqual({
    type: 'undelivered',
    reason: 'device_not_registered',
    message: '"[token]" is not a registered push notification recipient',
  });
});

it('records no part of a token, also where a long message is cut', async () => {
  const device = '01234567-89ab-4cde-8fab-0123456789ab';
  const error = { code: 'VALIDATION_ERROR', message: `${'x'.repeat(480)} ${device}` };
  expo.faults.push({ status: 400, body: { errors: [error] } });
  const [outcome] = await send(device);
  expect(outcome).toMatchObject({ type: 'rejected', message: expect.stringContaining('x [token]') });
});

it('sends what was too many requests again, of which nothing was sent', async () => {
  expo.faults.push({ status: 429, body: { errors: [{ code: 'TOO_MANY_REQUESTS', message: 'slow down' }] } });
  expect(await send(token('a'))).toMatchObject([{ type: 'accepted' }]);
  expect(timesSent()).toEqual([1]);
});

const OF_EXPO = { errors: [{ code: 'INTERNAL_SERVER_ERROR', message: 'An unknown error' }] };
it.each<[string, ExpoFault[], string]>([
  [
    'too many requests, again and again',
    Array<ExpoFault>(3).fill({ status: 429, body: OF_EXPO }),
    'not_sent',
  ],
  ['a failure of the whole call, as Expo says', [{ status: 500, body: OF_EXPO }], 'not_sent'],
  ['no permission', [{ status: 401, body: OF_EXPO }], 'not_sent'],
  ['a service that is down', [{ status: 503, body: 'down' }], 'not_sent'],
  ['a proxy that has no answer', [{ status: 502, body: '<html>', isTaken: true }], 'unknown'],
  ['a proxy that has lost the answer', [{ status: 504, body: '', isTaken: true }], 'unknown'],
  ['an answer that is no JSON', [{ status: 200, body: '<html>', isTaken: true }], 'unknown'],
  ['an answer to fewer messages', [{ status: 200, body: { data: [] }, isTaken: true }], 'unknown'],
  ['an answer that is lost', [{ drop: true, isTaken: true }], 'unknown'],
  ['a call that is lost', [{ drop: true, isTaken: false }], 'unknown'],
])('%s', async (_what, faults, expected) => {
  expo.faults.push(...faults);
  const outcomes = await sender.send(messages(3));
  expect(outcomes.map(({ type }) => type)).toEqual([expected, expected, expected]);
  for (const times of timesSent()) expect(times).toBe(1);
  expect(requests).toMatchObject([{ method: 'send', outcome: 'failed' }]);
});

it('does not wait for a slow answer, and does not send again what it may have sent', async () => {
  await sender.close();
  sender = await open({ timeoutMs: 200 });
  expo.faults.push({ delayMs: 60_000 });
  // A connection that took too long has sent nothing.
  await until(
    () => send(token('a')),
    ([outcome]) => outcome!.type === 'unknown',
  );
  await until(() => timesSent().length > 0);
  expect(timesSent()).toEqual([1]);
});

it('ends a request whose answer comes byte by byte, so that others are made', async () => {
  await sender.close();
  sender = await open({ timeoutMs: 500 });
  // More than are made at a time.
  expo.faults.push(...Array.from({ length: 7 }, () => ({ bytesEachMs: 50 })));
  await Promise.all(Array.from({ length: 7 }, (_, n) => send(token(n))));
  await until(
    () => send(token('a')),
    ([outcome]) => outcome!.type === 'accepted',
  );
});

it.each<[string, unknown, object]>([
  ['nothing', null, { type: 'unknown' }],
  ['text', 'ok', { type: 'unknown' }],
  ['no ticket', { status: 'ok' }, { type: 'unknown' }],
  ['a ticket that is no text', { status: 'ok', id: 17 }, { type: 'unknown' }],
  ['an error without a message', { status: 'error' }, { type: 'rejected', reason: 'other', message: '' }],
  [
    'an unknown reason',
    { status: 'error', message: 'm', details: { error: 'constructor' } },
    { type: 'rejected', reason: 'other', message: 'm' },
  ],
])(
  'an answer that says %s for one message is what it says for the others',
  async (_what, answer, outcome) => {
    const data = [answer, { status: 'ok', id: 't1' }];
    expo.faults.push({ status: 200, body: { data }, isTaken: true });
    expect(await send(token('a'), token('b'))).toMatchObject([outcome, { type: 'accepted', ticket: 't1' }]);
  },
);

it('leaves out receipts that cannot be read, and reads the others', async () => {
  const undelivered = { status: 'error', details: { error: 'DeviceNotRegistered' } };
  const data = { a: null, b: 'ok', c: { status: 'ok' }, d: undelivered };
  expo.faults.push({ status: 200, body: { data } });
  expect(Object.fromEntries(await sender.receipts(['a', 'b', 'c', 'd']))).toEqual({
    c: { type: 'delivered' },
    d: { type: 'undelivered', reason: 'device_not_registered', message: '' },
  });
});

it('has sent nothing where nobody listens', async () => {
  await sender.close();
  const { url } = expo;
  await expo.close();
  sender = await open({ url });
  expect(await send(token('a'))).toMatchObject([{ type: 'not_sent' }]);
  expo = await startExpoDouble();
});

it('sends the messages of each project with a call of their own', async () => {
  expo.projects.set(token(1), '@other/app').set(token(3), '@third/app');
  const outcomes = await sender.send(messages(100));
  expect(outcomes.map(({ type }) => type)).toEqual(Array(100).fill('accepted'));
  expect(expo.calls.map(({ messages }) => messages)).toEqual([100, 98, 1, 1]);
  expect(timesSent()).toEqual(Array(100).fill(1));
});

it('finds the message that Expo does not accept, and sends the others once', async () => {
  const batch = messages(100);
  batch[33] = message('no token');
  const outcomes = await sender.send(batch);
  const types = outcomes.map(({ type }) => type);
  expect(types).toEqual(batch.map((_, i) => (i === 33 ? 'rejected' : 'accepted')));
  expect(timesSent()).toEqual(Array(99).fill(1));
});

it('sends the access token, where there is one', async () => {
  await sender.close();
  sender = await open({ accessToken: 'secret' });
  await send(token('a'));
  expect(expo.calls).toMatchObject([{ authorization: 'Bearer secret' }]);
});

it('has no receipts while they are not there, and fails when they cannot be read', async () => {
  const [outcome] = await send(token('a'));
  const { ticket } = outcome as { ticket: string };
  expo.hasReceipts = false;
  expect((await sender.receipts([ticket])).size).toBe(0);
  expo.faults.push({ status: 500, body: OF_EXPO });
  await expect(sender.receipts([ticket])).rejects.toThrow('An unknown error');
});
