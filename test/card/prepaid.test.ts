import { randomUUID } from 'node:crypto';
import { cardAccountStream } from '../../contracts/events/card-account';
import { cardStream } from '../../contracts/events/card';
import { IssuerUnavailable } from '../../contracts/card-issuer/issuer';
import { moveAccount } from '../../services/card/account/commands';
import { cardAccountKind } from '../../services/card/account/decider';
import { cardKind } from '../../services/card/card/decider';
import { load } from '../../services/commands/load';
import type { TestProgram } from '../program';
import { until } from '../until';
import { cardClient, keysOf, type Answer } from './holder';
import { openCard, recordingIssuer, webhookSender } from './issuer';
import { startCardProgram } from './program';

const issuer = recordingIssuer();
const at = new Date().toISOString();
let program: TestProgram;
let client: ReturnType<typeof cardClient>;
let webhooks: ReturnType<typeof webhookSender>;
let mine: Awaited<ReturnType<typeof newHolder>>;

beforeAll(async () => {
  program = await startCardProgram(issuer);
  const url = await program.listen();
  client = cardClient(`${url}/card`);
  webhooks = webhookSender(`${url}/card`, Date.now);
});
afterAll(() => program.stop());
beforeEach(async () => {
  issuer.fail(null);
  mine = await newHolder();
});

const statusOf = ({ status, body }: Answer) => `${status} ${String(body['code'] ?? '')}`.trim();
const posted = async (accountId: string) =>
  (await load(program.deps.engines.store, cardAccountKind, cardAccountStream(accountId)))!.balance.posted;

/** Somebody with 100,000 units on an account, and a prepaid card that was issued. A cent is three units. */
async function newHolder() {
  const name = randomUUID();
  const token = await client.enrol(keysOf(name));
  const { accountId, cardId: debitId } = await openCard(program, name, at);
  const post = async (path: string, body: object = {}) => {
    await program.projected();
    return client.post(path, { token, ...body });
  };
  const ordered = await post('/v2/card/order', { accountId, key: 'prepaid', type: 'PREPAID' });
  const { id } = ordered.body['card'] as { id: string };
  await post('/v2/card/pay', { id });
  await webhooks.send({
    type: 'card.issued',
    data: { cardId: id, occurredAt: at, issuerCardId: 'issuer-1', lastFourDigits: '4242' },
  });
  const { accountId: prepaidId } = (await load(program.deps.engines.store, cardKind, cardStream(id)))!;
  const move = (to: 'load' | 'unload', amount: string, key: string = randomUUID(), rest = {}) =>
    post(`/v2/card/prepaid/${to}`, { id, accountId, amount, key, ...rest });
  return { token, accountId, debitId, post, id, prepaidId, move, ordered };
}
const fiatOf = ({ body }: Answer) => (body['card'] as { fiatBalance: string }).fiatBalance;

it('a prepaid card is ordered for nothing, and is in a list of its own', async () => {
  const { ordered, id, accountId, debitId, post } = mine;
  expect(ordered.body['card']).toMatchObject({ id, type: 'PREPAID', fiatBalance: '0.00' });
  const { list, prepaidCards } = (await post('/v2/account/list')).body as Record<string, object[]>;
  expect(prepaidCards).toMatchObject([{ id, type: 'PREPAID', status: 'ACTIVE', fiatBalance: '0.00' }]);
  const accounts = list as { id: string; cards: { id: string }[] }[];
  expect(accounts.map(account => account.id)).not.toContain(mine.prepaidId);
  const own = accounts.find(account => account.id === accountId)!;
  expect(own.cards.map(each => each.id)).toEqual([debitId]);
  expect(await posted(accountId)).toBe('100000');
});

it('it is loaded at the rate of the issuer, once with a key, pays 1 to 1, and is unloaded', async () => {
  const { id, accountId, prepaidId, post, move } = mine;
  expect(fiatOf(await move('load', '1250', 'first'))).toBe('12.50');
  expect(fiatOf(await move('load', '1250', 'first'))).toBe('12.50');
  expect([await posted(accountId), await posted(prepaidId)]).toEqual(['96250', '1250']);
  const euros = { amount: '1000', currency: 'EUR' };
  const purchase = {
    cardId: id,
    occurredAt: at,
    transactionId: 'txn-1',
    rate: { units: '1', per: '1' },
    merchantAmount: euros,
    cardAmount: euros,
  };
  const asked = await webhooks.send({ type: 'authorisation.requested', data: purchase });
  expect(asked.body).toMatchObject({ result: 'approved' });
  const { prepaidCards } = (await post('/v2/account/list')).body;
  expect(prepaidCards).toMatchObject([{ fiatBalance: '2.50' }]);
  expect(statusOf(await move('unload', '300'))).toBe('409 card_funds_insufficient');
  await post('/v2/card/close', { id });
  expect(fiatOf(await move('unload', '250'))).toBe('0.00');
  expect(await posted(accountId)).toBe('97000');
  const typesOf = async (cardId: string) => {
    const { body } = await post('/v2/card/events', { cardId, limit: 20, order: 'asc' });
    return (body['data'] as { events: { type: string; data: object }[] }).events;
  };
  expect(await typesOf(id)).toMatchObject([
    { type: 'card_paid' },
    { type: 'card_ready' },
    {
      type: 'prepaid_topup',
      data: { amount: '12.50', currency: 'EUR', cryptoCurrency: 'TON', cryptoAmount: '3750' },
    },
    { type: 'charge' },
    { type: 'contract_closed' },
    { type: 'card_withdraw', data: { amount: '2.50' } },
  ]);
  expect(await typesOf(mine.debitId)).toMatchObject([
    { type: 'deposit' },
    { type: 'card_paid' },
    { type: 'crypto_account_withdraw', data: { amount: '3750' } },
    { type: 'deposit', data: { amount: '750' } },
  ]);
});

it('what was sent before a crash is received after it, once', async () => {
  const { id, accountId, prepaidId, move } = mine;
  const { engines, handle } = program.deps;
  await moveAccount({ store: engines.store, handle }, accountId, {
    type: 'sendTransfer',
    transactionId: `prepaid/${id}/load/k`,
    entryId: `prepaid/${id}/load/k`,
    cardId: null,
    occurredAt: at,
    metadata: { now: at, actor: 'test' },
    transfer: {
      from: { accountId, cardId: null, amount: '300', currency: 'TON' },
      to: { accountId: prepaidId, cardId: id, amount: '100', currency: 'EUR' },
      rate: { units: '3', per: '1' },
    },
  });
  await until(async () => (await posted(prepaidId)) === '100');
  await move('load', '5000', 'k');
  expect([await posted(accountId), await posted(prepaidId)]).toEqual(['99700', '100']);
});

it('of transfers at the same time not more are sent than there is money for', async () => {
  await program.projected();
  const answers = await Promise.all(Array.from({ length: 5 }, () => mine.move('load', '10000')));
  expect(answers.map(statusOf).sort()).toEqual([
    ...Array<string>(3).fill('200'),
    ...Array<string>(2).fill('409 card_funds_insufficient'),
  ]);
  expect([await posted(mine.accountId), await posted(mine.prepaidId)]).toEqual(['10000', '30000']);
});

it("what is another's, what is unknown, and what is no prepaid card or account is not moved", async () => {
  const other = await newHolder();
  const cases = [
    [{ id: other.id }, '404 card_not_found'],
    [{ id: randomUUID() }, '404 card_not_found'],
    [{ accountId: other.accountId }, '404 card_account_not_found'],
    [{ accountId: randomUUID() }, '404 card_account_not_found'],
    [{ accountId: mine.prepaidId }, '404 card_account_not_found'],
    [{ id: mine.debitId }, '409 card_state'],
    [{ token: 'A'.repeat(43) }, '401 card_token_invalid'],
    [{ amount: '0' }, '400 invalid_request'],
    [{ amount: '-1' }, '400 invalid_request'],
    [{ amount: '1.5' }, '400 invalid_request'],
  ] as const;
  for (const to of ['load', 'unload'] as const)
    for (const [rest, expected] of cases)
      expect([to, rest, statusOf(await mine.move(to, '100', 'k', rest))]).toEqual([to, rest, expected]);
  expect([await posted(mine.accountId), await posted(other.accountId)]).toEqual(['100000', '100000']);
});

it('without a rate of the issuer nothing is moved; a card that is frozen is not loaded', async () => {
  issuer.fail(new IssuerUnavailable('away'));
  expect(statusOf(await mine.move('load', '100'))).toBe('503 card_issuer_unavailable');
  issuer.fail(null);
  await mine.post('/v2/card/freeze', { id: mine.id });
  expect(statusOf(await mine.move('load', '100'))).toBe('409 card_state');
  expect(await posted(mine.accountId)).toBe('100000');
});
