import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IssuerWebhookInput } from '../../contracts/card-issuer/webhooks';
import { cardStream } from '../../contracts/events/card';
import { cardAccountStream } from '../../contracts/events/card-account';
import { cardChallengeStream } from '../../contracts/events/card-challenge';
import { card } from '../../infra/program/features/card';
import { cardIssuingWith } from '../../infra/program/features/card/issuing';
import { compiledPath } from '../../infra/engines/compiled-path';
import { cardAccountKind } from '../../services/card/account/decider';
import { cardKind } from '../../services/card/card/decider';
import { cardChallengeKind } from '../../services/card/challenge/decider';
import { load } from '../../services/commands/load';
import { cardClient, keysOf } from '../card/holder';
import { openCard, recordingIssuer, SECRETS, webhookSender } from '../card/issuer';
import { startTestProgram } from '../program';
import { randomFrom, SEED } from '../random';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';

/** A kill comes within so many ms after a webhook is sent: before it is read, while it is recorded, or after its answer. */
const MAX_UNTIL_KILL_MS = 30;

const folder = temporaryFolder();
const random = randomFrom(SEED);
const now = Date.now();
const at = new Date(now).toISOString();
const LATER = new Date(now + 1).toISOString();
const program = compiledPath('test/crash/card-service.ts');

/** The program with the service in the process of the test, to prepare and to look. */
const inProcess = () =>
  startTestProgram({
    features: [card, cardIssuingWith(recordingIssuer().resource)],
    settings: { CARD_SANDBOX: 'true' },
    folder,
  });

async function start() {
  const child = fork(program, [folder, SECRETS[0]!.toString('hex')]);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the program has ended')));
  const [url] = (await Promise.race([once(child, 'message'), failed])) as [string];
  failed.catch(() => undefined);
  return {
    url,
    async kill() {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
    },
  };
}

type Step = readonly [IssuerWebhookInput, answer: object];

/** A purchase in two parts, with all that may come of it, and another one that a frozen card declines. */
function lifeOf(cardId: string): Step[] {
  const money = (amount: number) => ({ amount: String(amount), currency: 'EUR' });
  const about = (amount: number, transactionId = 'txn-1') => ({
    cardId,
    occurredAt: at,
    transactionId,
    rate: { units: '1', per: '1' },
    merchantAmount: money(amount),
    cardAmount: money(amount),
  });
  const cleared = (amount: number, final: boolean): IssuerWebhookInput => ({
    type: 'purchase.cleared',
    data: { ...about(amount), ofAuthorisation: String(amount), final, forced: false },
  });
  const asked = { cardId, occurredAt: at, challengeId: `3ds-${cardId}` };
  const expiresAt = new Date(now + 86_400_000).toISOString();
  const issued = { cardId, occurredAt: at, issuerCardId: 'issuer-1', lastFourDigits: '4242' };
  const forced = { ...about(90_000, 'forced'), ofAuthorisation: '0', final: true, forced: true };
  const refund = { ...about(500, 'refund'), purchaseId: 'txn-1', full: false };
  const recorded = { result: 'recorded' };
  const approved = { result: 'approved' };
  return [
    [{ type: 'card.issued', data: issued }, recorded],
    [
      {
        type: 'challenge.requested',
        data: { ...asked, expiresAt, kind: 'confirmation_request', amount: money(2_500) },
      },
      recorded,
    ],
    [{ type: 'authorisation.requested', data: about(2_500) }, approved],
    [{ type: 'challenge.ended', data: { ...asked, outcome: 'confirmed' } }, recorded],
    [{ type: 'increment.requested', data: about(500) }, approved],
    [{ type: 'authorisation.reversed', data: about(1_000) }, recorded],
    [cleared(1_200, false), recorded],
    [cleared(1_000, true), recorded],
    [{ type: 'purchase.cleared', data: forced }, recorded],
    [{ type: 'purchase.refunded', data: refund }, recorded],
    [{ type: 'card.changed', data: { cardId, occurredAt: LATER, to: 'frozen' } }, recorded],
    [
      { type: 'authorisation.requested', data: about(100, 'declined') },
      { result: 'declined', reason: 'card_frozen' },
    ],
    [{ type: 'card.replaced', data: { cardId, occurredAt: LATER } }, recorded],
  ];
}

const idOf = (index: number, cardId: string): string => `msg_${index}_${cardId}`;

async function send(url: string, { cardId }: Ids, index: number): Promise<object | null> {
  const [webhook, answer] = lifeOf(cardId)[index]!;
  const { send: sendWebhook } = webhookSender(`${url}/card`, Date.now);
  const given = await sendWebhook(webhook, { id: idOf(index, cardId) }).catch(() => null);
  // Null where the program was killed.
  if (given) expect(given).toEqual({ status: 200, body: { ok: true, ...answer } });
  return given;
}

type Ids = Awaited<ReturnType<typeof openCard>>;

async function prepare(): Promise<Ids[]> {
  const prepared = await inProcess();
  const client = cardClient(`${await prepared.listen()}/card`);
  const ids: Ids[] = [];
  for (const name of ['killed', 'undisturbed']) {
    await client.enrol(keysOf(name));
    ids.push(await openCard(prepared, name, at));
  }
  await prepared.stop();
  return ids;
}

/** All that has come of it, without the ids by which two holders differ. */
async function endOf({ userId, accountId, cardId }: Ids): Promise<unknown> {
  const looking = await inProcess();
  const { store } = looking.deps.engines;
  const found = {
    account: await load(store, cardAccountKind, cardAccountStream(accountId)),
    card: await load(store, cardKind, cardStream(cardId)),
    challenge: await load(store, cardChallengeKind, cardChallengeStream('mainnet', `3ds-${cardId}`)),
  };
  const { account, card, challenge } = found;
  const replacedBy = card!.replacedBy!;
  const other = await load(store, cardKind, cardStream(replacedBy));
  expect(other).toMatchObject({ accountId, replaces: cardId, fee: '0' });
  expect(other!.progress).toMatch(/^issu/);
  expect(account!.balance).toMatchObject({ posted: '8300', held: '0' });
  expect(challenge).toMatchObject({ outcome: 'confirmed' });
  const entries = Object.values(account!.transactions).flatMap(({ entries: each }) => each);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  await looking.stop();
  let text = JSON.stringify(found);
  for (const [name, id] of Object.entries({ userId, accountId, cardId, replacedBy }))
    text = text.replaceAll(id, name);
  return JSON.parse(text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]+Z"/g, '"time"'));
}

test('a program that is killed at each webhook of the issuer ends as one that never was', async () => {
  const [killed, undisturbed] = (await prepare()) as [Ids, Ids];
  const count = lifeOf('').length;
  const answered = new Set<number>();
  /** The issuer repeats what it has no answer to, and of what was answered every other one, as if it had lost the answer. */
  const repeat = async (url: string, until: number) => {
    for (let before = 0; before < until; before++)
      if (!answered.has(before) || before % 2 === 0) {
        expect(await send(url, killed, before)).not.toBeNull();
        answered.add(before);
      }
  };
  let unanswered = 0;

  for (let index = 0; index < count; index++) {
    const running = await start();
    await repeat(running.url, index);
    const sending = send(running.url, killed, index);
    await sleep(random() * MAX_UNTIL_KILL_MS);
    await running.kill();
    if ((await sending) === null) unanswered++;
    else answered.add(index);
  }

  const running = await start();
  await repeat(running.url, count);
  for (let index = 0; index < count; index++)
    expect(await send(running.url, undisturbed, index)).not.toBeNull();
  await running.kill();
  expect(unanswered).toBeGreaterThan(0);
  expect(await endOf(killed)).toEqual(await endOf(undisturbed));
});
