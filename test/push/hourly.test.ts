import type { PushCause } from '../../contracts/push/push-cause';
import { startPushProgram, type PushProgram } from './program';

/** What strangers let happen to a wallet in an hour, beside what its owner wants to know of. */

const WALLET = `0:${'a1'.repeat(32)}`;
const account = { chain: 'ton', network: 'mainnet', address: WALLET } as const;
const at = (time: string): string => `2026-03-01T${time}.000Z`;
const expiresAt = at('23:00:00');

const request = (n: number, time = at('11:10:00')): PushCause => ({
  kind: 'wallet_request',
  account,
  requestId: `request ${n}`,
  expiresAt,
  at: time,
});
const transfer = (n: number, time = at('11:10:00')): PushCause => ({
  kind: 'incoming_transaction',
  account,
  transaction: `hash ${n}`,
  lt: String(n),
  at: time,
});
const ready = (n: number): PushCause => ({
  kind: 'staking_withdrawal',
  account,
  pool: WALLET,
  round: n,
  at: at('11:10:00'),
});
const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

let program: PushProgram;
beforeEach(async () => {
  program = await startPushProgram(at('11:00:00'));
  await program.register('198.51.100.7', 'victim', { addresses: [WALLET] });
});
afterEach(() => program.stop());

it.each([
  ['60 wallet requests of strangers', 'wallet_request', request, 60],
  ['20 transfers of a nanoton', 'incoming_transaction', transfer, 20],
  ['20 withdrawals from pools', 'staking_withdrawal', ready, 20],
] as const)('%s are ten notifications, and one that says how many more', async (_what, kind, of, count) => {
  program.setClock(at('11:20:00'));
  await program.happened(...many<PushCause>(count, of));
  expect(await program.notified(kind)).toHaveLength(10);
  await program.endHours();
  expect(await program.notified('summary')).toHaveLength(1);
});

it('what is beyond ten is one notification at the end of the hour, which says how many', async () => {
  program.setClock(at('11:20:00'));
  await program.happened(...many(60, request), ...many(11, transfer));
  await program.happened(...many(60, request));
  await program.endHours();
  await program.endHours();
  expect(await program.texts('summary')).toEqual([
    '1 more incoming transaction within an hour',
    '50 more wallet requests within an hour',
  ]);
});

it('other kinds, other devices and the next hour are notified meanwhile', async () => {
  program.setClock(at('11:20:00'));
  await program.happened(...many(60, request));
  await program.register('198.51.100.8', 'other', { addresses: [`0:${'b0'.repeat(32)}`] });
  await program.happened(transfer(1), {
    ...request(100, at('11:21:00')),
    account: { ...account, address: `0:${'b0'.repeat(32)}` },
  } as PushCause);
  program.setClock(at('12:10:00'));
  await program.happened(request(101, at('12:09:00')));
  expect(await program.notified('incoming_transaction')).toEqual(['victim']);
  const requests = await program.notified('wallet_request');
  expect(requests.filter(each => each === 'other')).toHaveLength(1);
  expect(requests.filter(each => each === 'victim')).toHaveLength(11);
});
