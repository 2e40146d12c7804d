import request from 'supertest';
import { formatTonAddress } from '../../contracts/account/address';
import { exchangeOrderStream } from '../../contracts/events/exchange-order';
import { serviceAddressStream, type Service } from '../../contracts/events/service-address';
import type { AccountRef } from '../../contracts/network/network';
import type { PartnerOrder } from '../../contracts/ports/exchange-partner';
import { payinAddressesProjection } from '../../projections/service-addresses/payin-addresses';
import { serviceAddressesProjection } from '../../projections/service-addresses/service-addresses';
import { exchangeOrderKind, type ExchangeOrderCommand } from '../../services/exchange/order/decider';
import { createHandle } from '../../services/handle';
import { serviceAddressKind } from '../../services/service-addresses/decider';
import { serviceAddressRoutes } from '../../services/service-addresses/routes';
import { createTestApp } from '../app';
import { dataFolder, PROJECTING_TIMEOUT_MS } from '../projections/program';
import { at, metadata, NONE_UNPAID, partnerOrder, REQUEST } from './order';

const folder = dataFolder();
const program = folder.open({ projections: [serviceAddressesProjection, payinAddressesProjection] });
const handle = createHandle({ store: program.store });
program.start();
afterAll(() => folder.remove());

const app = createTestApp(serviceAddressRoutes({ views: program.views }));
const check = async (address: string): Promise<unknown> => {
  const { body } = await request(app).post('/service-address/check').send({ address }).expect(200);
  return body as unknown;
};
const NOT_FOUND = { ok: true, found: false };
const rawOf = (digits: string): string => `0:${digits.repeat(32)}`;

const projected = (collection: string, position: number) =>
  program.views.waitForPosition(collection, position, PROJECTING_TIMEOUT_MS);

/** An order that is paid to an address, as the partner shows it. */
async function place(orderId: string, payinAddress: string, ...shown: readonly Partial<PartnerOrder>[]) {
  const order = partnerOrder({ payinAddress });
  const observed = shown.map(more => ({ type: 'observe', order: { ...order, ...more } }) as const);
  const steps = [
    { type: 'request', request: { ...REQUEST, orderId }, ...NONE_UNPAID },
    { type: 'startCall' },
    { type: 'recordCreated', order, expiresAt: at(3_600) },
    ...observed,
  ] as const;
  for (const [i, step] of steps.entries()) {
    const command = { ...step, metadata: metadata(i) } as ExchangeOrderCommand;
    const outcome = await handle(exchangeOrderKind, exchangeOrderStream(orderId), command);
    if (outcome.refusal) throw new Error(outcome.refusal.detail);
    await projected('exchange_payin_addresses', outcome.position);
  }
}

async function change(account: AccountRef, service: Service | null): Promise<void> {
  const command = { account, metadata: metadata(0) };
  const outcome = await handle(
    serviceAddressKind,
    serviceAddressStream(account),
    service ? { ...command, type: 'add', service } : { ...command, type: 'remove' },
  );
  if (outcome.refusal) throw new Error(outcome.refusal.detail);
  await projected('service_addresses', outcome.position);
}

it('knows an address of TON in any form, of its network alone, and says what operators said of it', async () => {
  const raw = rawOf('01');
  const account = { chain: 'ton', network: 'mainnet', address: raw } as const;
  const card: Service = { service: 'holders', type: 'deposit', icon: 'https://example.com/card.png' };
  expect(await check(raw)).toEqual(NOT_FOUND);
  await change(account, card);
  for (const address of [
    raw,
    raw.toUpperCase(),
    formatTonAddress(raw, 'mainnet'),
    formatTonAddress(raw, 'mainnet', false),
  ])
    expect(await check(address)).toEqual({ ok: true, found: true, address, ...card });
  expect(await check(formatTonAddress(raw, 'testnet'))).toEqual(NOT_FOUND);
  await change(account, { service: 'postcash', type: null, icon: null });
  expect(await check(raw)).toEqual({ ok: true, found: true, address: raw, service: 'postcash' });
  await change(account, null);
  expect(await check(raw)).toEqual(NOT_FOUND);
});

it('knows where payments of exchange orders go, until the last of them is paid out or returned', async () => {
  const raw = rawOf('02');
  const friendly = formatTonAddress(raw, 'mainnet', false);
  const payin = { ok: true, found: true, address: raw, service: 'changelly', type: 'payin' };
  expect(await check(raw)).toEqual(NOT_FOUND);
  await place('first', friendly);
  expect(await check(raw)).toEqual(payin);
  await place('second', friendly, { status: 'overdue' });
  await place('third', friendly, { status: 'refunded' });
  expect(await check(raw)).toEqual(payin);
});

it('knows where payments of Solana go, and forgets it with the order', async () => {
  const address = 'So11111111111111111111111111111111111111112';
  await place('paid out', address, { status: 'sending' }, { status: 'finished' });
  expect(await check(address)).toEqual(NOT_FOUND);
  await place('waiting', address);
  expect(await check(address)).toMatchObject({ found: true, address, service: 'changelly' });
});

it('believes operators before orders', async () => {
  const raw = rawOf('03');
  await place('listed', raw);
  const service: Service = { service: 'changelly', type: 'hot wallet', icon: null };
  await change({ chain: 'ton', network: 'mainnet', address: raw }, service);
  expect(await check(raw)).toMatchObject({ service: 'changelly', type: 'hot wallet' });
});

it.each([
  [{}],
  [{ address: null }],
  [{ address: 7 }],
  [{ address: '' }],
  [{ address: 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh' }],
  [{ address: { $ne: null } }],
  [{ address: `${rawOf('01')}/x` }],
  [{ address: 'E'.repeat(10_000) }],
])('refuses %j, and names the field', async body => {
  const answer = await request(app).post('/service-address/check').send(body);
  const { ok, errors } = answer.body as { ok: boolean; errors: { pointer: string }[] };
  expect([answer.status, ok, errors[0]!.pointer]).toEqual([400, false, '/body/address']);
});
