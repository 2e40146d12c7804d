import { formatTonAddress } from '../../contracts/account/address';
import { serviceAddressStream, type Service } from '../../contracts/events/service-address';
import type { AccountRef } from '../../contracts/network/network';
import { serviceAddresses } from '../../infra/program/features/service-addresses';
import { serviceAddressKind } from '../../services/service-addresses/decider';
import { metadata } from './order';
import { startOrderProgram, type OrderProgram } from './orders';

let program: OrderProgram;
beforeAll(async () => {
  program = await startOrderProgram({ features: [serviceAddresses] });
});
afterAll(() => program.stop());

const check = async (address: string): Promise<unknown> => {
  const { status, body } = await program.post('/service-address/check', { address });
  expect(status).toBe(200);
  return body as unknown;
};
const NOT_FOUND = { ok: true, found: false };
const rawOf = (digits: string): string => `0:${digits.repeat(32)}`;

async function change(account: AccountRef, service: Service | null): Promise<void> {
  const command = { account, metadata: metadata(0) };
  const outcome = await program.deps.handle(
    serviceAddressKind,
    serviceAddressStream(account),
    service ? { ...command, type: 'add', service } : { ...command, type: 'remove' },
  );
  if (outcome.refusal) throw new Error(outcome.refusal.detail);
  await program.projected();
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
  await program.placePaidTo(friendly);
  expect(await check(raw)).toEqual(payin);
  await program.placePaidTo(friendly, { status: 'overdue' });
  await program.placePaidTo(friendly, { status: 'refunded' });
  expect(await check(raw)).toEqual(payin);
});

it('knows where payments of Solana go, and forgets it with the order', async () => {
  const address = 'So11111111111111111111111111111111111111112';
  await program.placePaidTo(address, { status: 'sending' }, { status: 'finished' });
  expect(await check(address)).toEqual(NOT_FOUND);
  await program.placePaidTo(address);
  expect(await check(address)).toMatchObject({ found: true, address, service: 'changelly' });
});

it('believes operators before orders', async () => {
  const raw = rawOf('03');
  await program.placePaidTo(raw);
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
  const answer = await program.post('/service-address/check', body);
  const { ok, errors } = answer.body as { ok: boolean; errors: { pointer: string }[] };
  expect([answer.status, ok, errors[0]!.pointer]).toEqual([400, false, '/body/address']);
});
