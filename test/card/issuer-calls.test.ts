import { randomUUID } from 'node:crypto';
import { issuerJob } from '../../services/card/issuer/jobs';
import type { TestProgram } from '../program';
import { until } from '../until';
import { cardClient, keysOf } from './holder';
import { openCard, recordingIssuer, SECRETS, webhookSender } from './issuer';
import { startCardProgram } from './program';

const at = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
/** Calls of the cards of which the issuer answers nothing for now. */
const stalled = new Map<string, number>();
const recording = recordingIssuer();
let answerAll = (): void => undefined;
let answered: Promise<void>;
beforeEach(() => void (answered = new Promise(resolve => (answerAll = resolve))));

let program: TestProgram;
let url: string;
let client: ReturnType<typeof cardClient>;
let webhooks: ReturnType<typeof webhookSender>;

beforeAll(async () => {
  const double = await (await recording.resource.open()).issuer();
  const stall = async (cardId: string): Promise<void> => {
    if (!stalled.has(cardId)) return;
    stalled.set(cardId, stalled.get(cardId)! + 1);
    await answered;
  };
  const issuer: typeof double = {
    ...double,
    async googleProvisioning(cardId, ...rest) {
      await stall(cardId);
      return double.googleProvisioning(cardId, ...rest);
    },
    async issueCard(order, ...rest) {
      await stall(order.cardId);
      return double.issueCard(order, ...rest);
    },
  };
  const opened = { secrets: SECRETS, issuer: () => Promise.resolve(issuer) };
  program = await startCardProgram({ resource: { open: () => Promise.resolve(opened) } });
  url = await program.listen();
  client = cardClient(`${url}/card`);
  webhooks = webhookSender(`${url}/card`, Date.now);
});
afterAll(() => {
  answerAll();
  return program.stop();
});

/** Somebody with a card that may be added to a phone. */
async function newHolder(from = '192.0.2.1') {
  const name = randomUUID();
  const token = await client.enrol(keysOf(name));
  const { cardId } = await openCard(program, name, at);
  const data = { cardId, occurredAt: at, issuerCardId: 'issuer-1', lastFourDigits: '4242' };
  expect((await webhooks.send({ type: 'card.issued', data })).body).toMatchObject({ result: 'recorded' });
  await program.projected();
  const add = async () => {
    const params = { walletAccountId: 'wallet-1', deviceId: 'device-1' };
    const response = await fetch(`${url}/card/v2/card/get/google/provisioning/data`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
      body: JSON.stringify({ token, id: cardId, params }),
    });
    return response.status;
  };
  return { token, cardId, add };
}

it('of one holder have a share of those of a slow issuer, and another holder is served', async () => {
  const [greedy, honest] = [await newHolder('203.0.113.1'), await newHolder()];
  stalled.set(greedy.cardId, 0);
  const asked = Array.from({ length: 20 }, () => greedy.add());
  await until(() => stalled.get(greedy.cardId)! >= 2);
  expect(await honest.add()).toBe(200);
  expect(stalled.get(greedy.cardId)).toBe(2);
  answerAll();
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
});

it('of however many holders of one address have a share of those of a slow issuer, and a holder elsewhere is served', async () => {
  const holders: Awaited<ReturnType<typeof newHolder>>[] = [];
  for (let n = 0; n < 5; n += 1) holders.push(await newHolder('203.0.113.1'));
  const honest = await newHolder();
  for (const { cardId } of holders) stalled.set(cardId, 0);
  const asked = holders.flatMap(({ add }) => [add(), add(), add()]);
  const running = () => holders.reduce((sum, { cardId }) => sum + stalled.get(cardId)!, 0);
  await until(() => running() >= 2);
  for (let n = 0; n < 3; n += 1) expect(await honest.add()).toBe(200);
  expect(running()).toBe(2);
  answerAll();
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
});

it('of orders of cards, however many wait for a slow issuer, delay no answer at a checkout', async () => {
  const [greedy, honest] = [await newHolder(), await newHolder()];
  stalled.set(greedy.cardId, 0);
  const { jobs } = program.deps.engines;
  for (let n = 0; n < 40; n += 1)
    await jobs.add(issuerJob(`order ${n}`, 1, { kind: 'issue', cardId: greedy.cardId }));
  await until(() => stalled.get(greedy.cardId)! >= 16);

  const challengeId = `txn-${randomUUID()}`;
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const data = { challengeId, cardId: honest.cardId, occurredAt: at, expiresAt, merchant: null };
  const asked = await webhooks.send({
    type: 'challenge.requested',
    data: { ...data, kind: 'confirmation_request', amount: { amount: '1', currency: 'EUR' } },
  });
  expect(asked.body).toMatchObject({ result: 'recorded' });
  await program.projected();
  const answer = { id: challengeId, status: 'CONFIRMED' };
  const confirmed = await client.post('/v2/user/otp/requests/confirm', { token: honest.token, data: answer });
  expect(confirmed.body).toEqual({ ok: true });
  await until(() => recording.told.some(told => JSON.stringify(told).includes(challengeId)));
  expect(stalled.get(greedy.cardId)).toBe(16);
});
