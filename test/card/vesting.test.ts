import { randomUUID } from 'node:crypto';
import { cardAccountStream } from '../../contracts/events/card-account';
import { CARD_VESTING_CATEGORY, vestingDepositId } from '../../contracts/events/card-vesting';
import { cardUserStream } from '../../contracts/events/card-user';
import { moveAccount } from '../../services/card/account/commands';
import { cardAccountKind } from '../../services/card/account/decider';
import { cardUserKind } from '../../services/card/user/decider';
import { MAX_VESTINGS } from '../../services/card/vesting/decider';
import { load } from '../../services/commands/load';
import type { TestProgram } from '../program';
import { until } from '../until';
import { cardClient, keysOf, type Answer } from './holder';
import { openCard, recordingIssuer } from './issuer';
import { startCardProgram } from './program';

const HOUR_MS = 3_600_000;
const began = Math.floor(Date.now() / 1_000) * 1_000;
let now = began;
let program: TestProgram;
let client: ReturnType<typeof cardClient>;

beforeAll(async () => {
  program = await startCardProgram(recordingIssuer(), { clock: () => new Date(now) });
  client = cardClient(`${await program.listen()}/card`, 'mainnet', began);
});
afterAll(() => program.stop());
beforeEach(() => void (now = began));

const statusOf = ({ status, body }: Answer) => `${status} ${String(body['code'] ?? '')}`.trim();
const posted = async (accountId: string) =>
  (await load(program.deps.engines.store, cardAccountKind, cardAccountStream(accountId)))!.balance.posted;
const after = (hours: number) => new Date(began + hours * HOUR_MS).toISOString();

/** Somebody with 100,000 units on an account. */
async function newHolder() {
  const name = randomUUID();
  const token = await client.enrol(keysOf(name));
  const { accountId, userId } = await openCard(program, name, new Date(began).toISOString());
  const post = async (path: string, body: object = {}) => {
    await program.projected();
    return client.post(path, { token, ...body });
  };
  const list = async () => (await post('/v2/account/list')).body['list'] as Record<string, unknown>[];
  return { token, accountId, userId, post, list };
}
type Holder = Awaited<ReturnType<typeof newHolder>>;

/** It pays 10,000 each hour. */
async function newVesting(creator: Holder, beneficiary: Holder, rest: object = {}) {
  const body = {
    id: creator.accountId,
    key: 'first',
    beneficiaryCryptoAccountId: beneficiary.accountId,
    beneficiaryName: 'Bob',
    unlockAmountPerPeriod: '10000',
    unlockPeriodSeconds: 3_600,
    ...rest,
  };
  const created = await creator.post('/v2/account/vesting/create', body);
  const account = created.body['account'] as { id: string };
  const deposit = (amount: string, key: string = randomUUID()) =>
    creator.post('/v2/account/vesting/deposit', { id: account?.id, amount, key });
  return { created, account, deposit };
}

it('is created once with a key, takes deposits, and pays its beneficiary when a period ends', async () => {
  const [creator, beneficiary] = [await newHolder(), await newHolder()];
  const { account, deposit } = await newVesting(creator, beneficiary);
  expect((await newVesting(creator, beneficiary, { unlockAmountPerPeriod: '1' })).account).toEqual(account);
  expect(account).toMatchObject({
    type: 'vesting',
    balance: '0',
    nextPayoutAt: null,
    hasBeenDepositedOnce: false,
  });
  for (const _ of [1, 2]) expect((await deposit('25000', 'first')).status).toBe(200);
  expect(await posted(creator.accountId)).toBe('75000');
  const shown = {
    id: account.id,
    type: 'vesting',
    state: 'ACTIVE',
    creatorAccountId: creator.accountId,
    beneficiaryCryptoAccountId: beneficiary.accountId,
    beneficiaryName: 'Bob',
    hasBeenDepositedOnce: true,
    unlockAmountPerPeriod: '10000',
    unlockPeriodSeconds: '3600',
    startPaymentsAt: after(0),
    balance: '25000',
    totalDeposited: '25000',
    totalPaidOut: '0',
    estimatedPayoutsRemaining: 3,
    nextPayoutAt: after(1),
  };
  const mine = async () => (await creator.list()).find(({ id }) => id === account.id)!;
  expect(await mine()).toMatchObject(shown);
  const received = async () => {
    const own = (await beneficiary.list()).find(({ id }) => id === beneficiary.accountId)!;
    return own['vestingAccounts'] as object[];
  };
  expect(await received()).toEqual([await mine()]);
  expect((await creator.list()).find(({ id }) => id === creator.accountId)).not.toHaveProperty(
    'vestingAccounts',
  );

  now = began + HOUR_MS;
  await until(async () => (await posted(beneficiary.accountId)) === '110000');
  const paid = { balance: '15000', totalPaidOut: '10000', estimatedPayoutsRemaining: 2 };
  expect(await mine()).toMatchObject({ ...shown, ...paid, nextPayoutAt: after(2) });
  now = began + 10 * HOUR_MS;
  await until(async () => (await posted(beneficiary.accountId)) === '125000');
  const done = { balance: '0', totalPaidOut: '25000', estimatedPayoutsRemaining: 0, nextPayoutAt: null };
  expect(await received()).toMatchObject([{ ...shown, ...done }]);
});

it('what was sent before a crash is deposited after it, and what was paid out received, each once', async () => {
  const [creator, beneficiary] = [await newHolder(), await newHolder()];
  const { account, deposit } = await newVesting(creator, beneficiary);
  const { engines, handle } = program.deps;
  const transactionId = vestingDepositId(account.id, 'crashed');
  const side = { cardId: null, amount: '10000', currency: 'TON' };
  await moveAccount({ store: engines.store, handle }, creator.accountId, {
    type: 'sendTransfer',
    transactionId,
    entryId: transactionId,
    cardId: null,
    occurredAt: after(0),
    metadata: { now: after(0), actor: 'test' },
    transfer: {
      from: { accountId: creator.accountId, ...side },
      to: { accountId: account.id, ...side },
      rate: { units: '1', per: '1' },
    },
  });
  const balance = async () => (await creator.list()).find(({ id }) => id === account.id)!['balance'];
  await until(async () => (await balance()) === '10000');
  expect((await deposit('10000', 'crashed')).status).toBe(200);
  expect([await balance(), await posted(creator.accountId)]).toEqual(['10000', '90000']);

  now = began + HOUR_MS;
  const jobs = Array.from({ length: 5 }, (_, n) =>
    engines.jobs.add({ queue: 'card-payouts', id: `again-${n}`, data: { vestingId: account.id } }),
  );
  await Promise.all(jobs);
  await until(async () => (await posted(beneficiary.accountId)) === '110000');
  await until(async () => (await engines.jobs.counts('card-payouts')).waiting === 0);
  const paid = [];
  for await (const page of engines.store.readAll({ categories: [CARD_VESTING_CATEGORY] }))
    paid.push(
      ...page.filter(({ type, data }) => type === 'CardVestingPaidOut' && data['vestingId'] === account.id),
    );
  expect(paid).toHaveLength(1);
  expect(await posted(beneficiary.accountId)).toBe('110000');
});

it('the name of the beneficiary is stored encrypted', async () => {
  const holder = await newHolder();
  await newVesting(holder, holder, { beneficiaryName: 'Bartholomew' });
  for await (const page of program.deps.engines.store.readAll({ categories: [CARD_VESTING_CATEGORY] }))
    for (const event of page) expect(JSON.stringify(event.data)).not.toContain('Bartholomew');
});

it("what is not the creator's own, unknown, malformed, or more than there is, is refused, and nothing is moved", async () => {
  const [creator, other] = [await newHolder(), await newHolder()];
  const { account } = await newVesting(creator, other);
  const pay = (holder: Holder, body: object) =>
    holder.post('/v2/account/vesting/deposit', { id: account.id, amount: '1', key: 'k', ...body });
  expect(statusOf(await pay(other, {}))).toBe('404 card_account_not_found');
  for (const id of [randomUUID(), creator.accountId, '../x'])
    expect(statusOf(await pay(creator, { id }))).toBe('404 card_account_not_found');
  for (const amount of ['0', '-1', '1.5', '1e3'])
    expect(statusOf(await pay(creator, { amount }))).toBe('400 invalid_request');
  expect(statusOf(await pay(creator, { amount: '100001' }))).toBe('409 card_funds_insufficient');
  const create = async (rest: object) =>
    statusOf((await newVesting(creator, other, { key: 'k', ...rest })).created);
  expect(await create({ id: other.accountId })).toBe('404 card_account_not_found');
  expect(await create({ beneficiaryCryptoAccountId: randomUUID() })).toBe('404 card_account_not_found');
  expect(await create({ beneficiaryCryptoAccountId: account.id })).toBe('404 card_account_not_found');
  expect(await create({ startPaymentsAt: '2099-01-01T00:00:00Z' })).toBe('400 card_vesting_invalid');
  for (const wrong of [
    { unlockPeriodSeconds: 60 },
    { unlockAmountPerPeriod: '0' },
    { startPaymentsAt: 'soon' },
  ])
    expect(await create(wrong)).toBe('400 invalid_request');
  expect([await posted(creator.accountId), await posted(other.accountId)]).toEqual(['100000', '100000']);
});

it('a holder who is suspended creates and deposits nothing, and what it has deposited is paid out', async () => {
  const [creator, beneficiary] = [await newHolder(), await newHolder()];
  const { deposit } = await newVesting(creator, beneficiary);
  await deposit('10000');
  await program.deps.handle(cardUserKind, cardUserStream(creator.userId), {
    type: 'suspend',
    reason: { subject: creator.userId, ciphertext: 'v1.A.A' },
    metadata: { now: after(0), actor: 'cli:anna' },
  });
  expect(statusOf(await deposit('1'))).toBe('403 card_user_suspended');
  now = began + HOUR_MS;
  await until(async () => (await posted(beneficiary.accountId)) === '110000');
});

it('a holder who creates vesting accounts without end has as many as it may, and another one creates its own', async () => {
  const [stranger, honest] = [await newHolder(), await newHolder()];
  const own: Awaited<ReturnType<typeof newVesting>>[] = [];
  for (let n = 0; n < MAX_VESTINGS; n += 1) own.push(await newVesting(stranger, stranger, { key: `${n}` }));
  for (const { created } of own) expect(created.status).toBe(200);
  const { created } = await newVesting(stranger, stranger, { key: 'more' });
  expect(statusOf(created)).toBe('409 too_many_card_vestings');
  const { deposit } = await newVesting(honest, honest);
  expect((await deposit('10000')).status).toBe(200);
  // Those that there are take deposits as before.
  expect((await own[0]!.deposit('10000')).status).toBe(200);
});

it('of strangers that pay to a holder unasked have a share of its places, and those of others and its own are listed', async () => {
  const [strangers, honest, victim] = [
    [await newHolder(), await newHolder()],
    await newHolder(),
    await newHolder(),
  ];
  const opened = await Promise.all(
    strangers.map(async stranger => {
      let count = 0;
      for (let n = 0; n < 20; n += 1)
        if ((await newVesting(stranger, victim, { key: `${n}` })).created.status === 200) count += 1;
      return count;
    }),
  );
  // Each may have a quarter of what the other leaves: of 80 both come to 16.
  expect(opened.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(36);
  expect((await newVesting(strangers[1]!, victim, { key: 'more' })).created.body).toMatchObject({
    code: 'too_many_card_vestings',
  });
  const [paying, own] = [await newVesting(honest, victim), await newVesting(victim, victim)];
  const listed = (await victim.list()).find(({ id }) => id === victim.accountId)!;
  expect((listed['vestingAccounts'] as { id: string }[]).map(({ id }) => id)).toEqual(
    expect.arrayContaining([paying.account.id, own.account.id]),
  );
});
