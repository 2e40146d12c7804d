import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection, LAMPORTS_PER_SOL, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { Address, internal, SendMode, toNano } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import type { z } from 'zod';
import { tidemark, tidemarkJson, type Tidemark } from '../../e2e/tidemark';
import { temporaryFolder } from '../../temporary-folder';
import { until } from '../../until';
import { ask, startProgram, type Json } from '../program';
import { CardApp } from './card-app';
import * as schemas from './schemas';

jest.setTimeout(900_000);

/* The whole life of a card, as the wallet app and the web application of the card service lead somebody through it. */

const LOCAL = {
  TON_RPC_URL_MAINNET: 'local',
  SOLANA_RPC_URL_MAINNET: 'local',
};

const folder = temporaryFolder();
let program: Tidemark;
let places: Json;
let app: CardApp;
let token: string;
let frames: ReturnType<CardApp['updates']>['frames'];
let close: () => void;
/** What only the holder and the issuer may know. */
const personal: string[] = ['+4930123456', 'somebody@example.com'];

beforeAll(async () => {
  program = await startProgram(folder, LOCAL);
  places = await until(
    async () => {
      const { ton, solana } = await ask(`${program.url}/devnet`);
      const isMain = ({ network }: Json): boolean => network === 'mainnet';
      return { ton: ton.find(isMain), solana: solana.find(isMain) };
    },
    ({ ton, solana }) => ton?.faucet && solana?.endpoint,
  );
  app = new CardApp(`${program.url}/card`, program.url, randomBytes(32));
});
afterAll(async () => {
  close?.();
  await program?.kill('SIGTERM');
});

const read = <S extends z.ZodType>(schema: S, path: string, body: object = {}) =>
  app.read(schema, path, { token, ...body });
const stateOf = async () => (await read(schemas.state, '/account/state')).state.state;
const listed = async () => (await read(schemas.accounts, '/v2/account/list')).list;
type Account = Awaited<ReturnType<typeof listed>>[number];
const accountOn = async (network: Account['network']) =>
  (await listed()).find(account => account.network === network);
const cardOf = async (id: string) =>
  (await listed()).flatMap(({ cards = [] }) => cards).find(card => card.id === id)!;
const has = (balance: string) => until(async () => (await accountOn('ton-mainnet'))!.balance === balance);
const typesOf = (from: number) => new Set<string>(frames.slice(from).map(({ type }) => type));
const eventsOf = async (cardId: string) =>
  (await read(schemas.events, '/v2/card/events', { cardId, limit: 40, order: 'asc' })).data.events;

/** Has the double of the issuer do something with the card, as operators may. */
const play = (name: string, cardId: string, amount: string) =>
  tidemarkJson(['card', 'scenario', name, '--card', cardId, '--amount', amount], { DATA_DIR: folder });

let cardId: string;

it('somebody enrols with both proofs, takes the steps, and is identified', async () => {
  token = await app.enrol();
  const stream = app.updates(token);
  ({ frames } = stream);
  close = () => stream.socket.close();
  await until(() => typesOf(0).has('connected'));
  expect(await stateOf()).toBe('need-phone');
  for (const [place, kind] of (['phone', 'email'] as const).entries()) {
    const { body } = await app.post(`/v2/user/${kind}/start`, { token, [kind]: personal[place] });
    const { code } = (body as Json).sandbox;
    personal.push(code as string);
    await read(schemas.state, `/v2/user/${kind}/confirm`, { code });
  }
  expect(await stateOf()).toBe('need-kyc');
  await read(schemas.state, '/v2/user/kyc/start');
  await until(async () => (await stateOf()) === 'ok');
  await until(() => typesOf(1).has('state_change'));
});

it('its accounts are topped up on both chains', async () => {
  await until(async () => (await listed()).length === 2);
  const before = frames.length;
  const { contract, secretKey } = app.wallet;
  await ask(places.ton.faucet as string, {
    address: contract.address.toString(),
    amount: String(toNano(50)),
  });
  const client = new TonClient4({ endpoint: `${program.url}/rpc/mainnet`, timeout: 120_000 });
  const opened = client.open(contract);
  await until(async () => (await opened.getBalance()) > 0n);
  const to = Address.parse((await accountOn('ton-mainnet'))!.address!);
  await opened.sendTransfer({
    seqno: 0,
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to, value: toNano(20), bounce: false, body: 'Top Up' })],
  });

  const connection = new Connection(places.solana.endpoint as string, {
    wsEndpoint: places.solana.websocket as string,
    commitment: 'confirmed',
  });
  await connection.requestAirdrop(app.solana.publicKey, 5 * LAMPORTS_PER_SOL);
  await until(async () => (await connection.getBalance(app.solana.publicKey)) > 0);
  const toPubkey = new PublicKey((await accountOn('solana'))!.address!);
  const transfer = SystemProgram.transfer({
    fromPubkey: app.solana.publicKey,
    toPubkey,
    lamports: 2 * LAMPORTS_PER_SOL,
  });
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({
    feePayer: app.solana.publicKey,
    recentBlockhash: blockhash,
  } as never);
  transaction.add(transfer).sign(app.solana);
  await connection.sendRawTransaction(transaction.serialize());

  await has('20000000000');
  await until(async () => (await accountOn('solana'))!.balance === '2000000000');
  await until(() => typesOf(before).has('accounts_changed'));
});

it('a card is ordered, paid for, and issued', async () => {
  const account = (await accountOn('ton-mainnet'))!;
  const order = { accountId: account.id, key: 'first' };
  const ordered = await read(schemas.changedCard, '/v2/card/order', order);
  expect(ordered.card.status).toBe('WAITING_FOR_PAYMENT');
  cardId = ordered.card.id;
  await read(schemas.changedCard, '/v2/card/pay', { id: cardId });
  await until(async () => (await cardOf(cardId)).status === 'ACTIVE');
  await has('19500000000');
});

it('a purchase is confirmed, authorised, and cleared in two parts', async () => {
  const before = frames.length;
  await play('three-d-secure', cardId, '900');
  const { data } = await until(
    () => read(schemas.otp, '/v2/user/otp/requests'),
    ({ data }) => data !== undefined,
  );
  expect(data).toMatchObject({
    type: 'confirmation_request',
    cardId,
    amount: '9.00',
    currency: 'USD',
    status: 'PENDING',
  });
  expect(Date.parse(data!.expiresAt!)).toBeGreaterThan(Date.now());
  // Nothing is authorised before.
  await has('19500000000');
  const answer = { data: { id: data!.txnId, status: 'CONFIRMED' } };
  const confirm = () => read(schemas.otpAnswer, '/v2/user/otp/requests/confirm', answer);
  expect(await confirm()).toEqual({ ok: true });
  expect(await confirm()).toEqual({ ok: false, error: 'already_confirmed' });
  await has('16500000000');
  await until(() =>
    ['inapp_otp', 'inapp_otp_confirmation', 'accounts_changed'].every(each => typesOf(before).has(each)),
  );
  const charge = (await eventsOf(cardId)).find(({ type }) => type === 'charge');
  expect(charge!.data).toMatchObject({
    amount: '3000000000',
    currency: 'USD',
    currencyAmount: '9.00',
    txnCurrency: 'USD',
    merchantInfo: { dirtyName: 'COFFEE 123 BERLIN' },
  });
  expect(await until(cleared, ({ length }) => length === 2)).toEqual(['3.60', '5.40']);
  await has('16500000000');
});

/** Calls billing as an admin of the instance does. */
async function bill(path: string, body: object): Promise<Json> {
  const { stdout } = await tidemark(['token', '--role', 'admin', '--secure'], { DATA_DIR: folder });
  return ask(`${program.url}${path}`, body, { authorization: `Bearer ${stdout.trim()}` });
}
const report = (action: string, rest: object = {}) => bill('/api/instance-admin', { action, ...rest });

const OF_ISSUER = { merchantSlug: 'card-issuer' };
const ledger = async () => (await report('list_fee_ledger', OF_ISSUER)).rows as Json[];

/** How much was cleared each time, as the instance has earned with it. */
const cleared = async () => (await ledger()).map(({ gross_amount }) => gross_amount as string).sort();

it('another one is refunded', async () => {
  await play('refund', cardId, '600');
  const refund = await until(
    async () => (await eventsOf(cardId)).find(({ type }) => type === 'charge_back'),
    event => event !== undefined,
  );
  expect(refund!.data).toMatchObject({ action: 'refund', amount: '2000000000', currencyAmount: '6.00' });
  await has('16500000000');
});

it('a card that is frozen is declined', async () => {
  const { card } = await read(schemas.changedCard, '/v2/card/freeze', { id: cardId });
  expect(card.status).toBe('PENDING_FREEZE');
  await play('purchase', cardId, '300');
  const declined = await until(
    async () => (await eventsOf(cardId)).find(({ type }) => type === 'charge_failed'),
    event => event !== undefined,
  );
  expect(declined!.data).toMatchObject({ reason: { type: 'card_frozen' }, currencyAmount: '3.00' });
  await until(async () => (await cardOf(cardId)).status === 'FROZEN');
  await has('16500000000');
});

it('all of it is in the history of the wallet, beside its transactions, by time', async () => {
  const address = app.wallet.contract.address.toString();
  const url = `${program.url}/transactions/v2/${encodeURIComponent(address)}`;
  const pages = [];
  let cursor: z.output<typeof schemas.walletHistory>['cursor'] = {};
  while (cursor) {
    const page = schemas.walletHistory.parse(await ask(url, { token, cursor, limit: 3, params: {} }));
    // The transaction that the cursor names comes again.
    pages.push(...page.data.filter(({ type, data }) => type !== 'ton' || data.lt !== cursor?.ton?.lt));
    cursor = page.cursor;
  }
  const shown = pages.flatMap(item => (item.type === 'holders' ? [item.data] : []));
  const ofCard = await eventsOf(cardId);
  const inOrder = [...shown].reverse().map(({ id }) => id);
  expect(inOrder).toEqual(expect.arrayContaining(ofCard.map(({ id }) => id)));
  expect(new Set(inOrder).size).toBe(inOrder.length);
  expect([...shown].reverse().map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'deposit',
      'card_paid',
      'card_ready',
      'charge',
      'charge_back',
      'card_freeze',
      'charge_failed',
    ]),
  );
  const times = pages.map(({ type, data }) => (type === 'ton' ? data.time * 1_000 : data.time));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(pages.filter(({ type }) => type === 'ton')).toHaveLength(2);
});

it('what the instance has earned with it is in the ledger, the revenue, an invoice and the CSV, without what was refunded', async () => {
  const statuses = async () => (await ledger()).map(row => row.collection_status as string).sort();
  await until(statuses, found => found.join() === 'pending,pending,waived');
  const pending = (await ledger()).filter(row => row.collection_status === 'pending');
  expect(pending.map(row => [row.fee_type, row.fee_amount, row.gross_amount]).sort()).toEqual([
    ['interchange', '0.03', '3.60'],
    ['interchange', '0.05', '5.40'],
  ]);
  await bill('/api/fees', { fees: pending.map(({ id }) => ({ action: 'collect', id })) });
  await until(statuses, found => found.join() === 'collected,collected,waived');

  const { summary, byMerchant } = await report('get_revenue');
  const sums = { fee_type: 'interchange', total_fee: '0.08', total_gross: '9.00', count: 2 };
  expect(summary).toContainEqual({ ...sums, collection_status: 'collected' });
  const earned = { merchant_id: 'card-issuer', fee_count: 3, collected: '0.08', pending: '0.00' };
  expect(byMerchant).toContainEqual(expect.objectContaining(earned));

  const { billing_period: billingPeriod } = pending[0];
  const { invoice } = await report('generate_invoice', { billingPeriod });
  expect(invoice.lines).toContainEqual(
    expect.objectContaining({
      ...OF_ISSUER,
      feeType: 'interchange',
      feeCount: 2,
      totalFee: '0.08',
      totalGross: '9.00',
    }),
  );

  const { csv, rowCount } = await report('export_revenue_csv', OF_ISSUER);
  expect(rowCount).toBe(3);
  for (const { id } of pending) expect(csv).toContain(id);
});

it('nothing personal is in the log, on the stream or in clear in the data folder, nor is the token', async () => {
  const [phone, email, ...codes] = personal as [string, string, ...string[]];
  expect(codes).toEqual([expect.stringMatching(/^\d{6}$/), expect.stringMatching(/^\d{6}$/)]);
  const texts = [token, phone, email];
  const told = (text: string): string[] => {
    const numbers = new Set(text.match(/\d+/g));
    return [...texts.filter(each => text.includes(each)), ...codes.filter(code => numbers.has(code))];
  };
  expect(told(program.output())).toEqual([]);
  expect(told(JSON.stringify(frames))).toEqual([]);
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of names.filter(each => each.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name));
    expect([file.name, texts.filter(text => bytes.includes(text))]).toEqual([file.name, []]);
  }
});
