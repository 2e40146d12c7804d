import type { PushCause } from '../../contracts/push/push-cause';
import { PUSH_DEVICES } from '../../projections/push/devices';
import { expireDevices } from '../../services/push/device/expire';
import { PUSH_DEVICE_RETENTION } from '../../services/push/device/retention';
import { PUSH_HOUR_RETENTION } from '../../services/push/hour/retention';
import { PUSH_NOTIFICATION_RETENTION } from '../../services/push/notification/retention';
import { applyIn } from '../apply-retention';
import { until } from '../until';
import { startPushProgram, type PushProgram } from './program';

const WALLET = `0:${'a1'.repeat(32)}`;
const START = Date.now();
/** RFC 3339; the event store has the clock of the machine. */
const afterDays = (days: number): string => new Date(START + days * 86_400_000).toISOString();

let program: PushProgram;
beforeEach(async () => {
  program = await startPushProgram(afterDays(0));
});
afterEach(() => program.stop());

const register = async (device: string): Promise<void> => {
  const { status } = await program.register('198.51.100.7', device, { addresses: [WALLET] });
  expect(status).toBe(200);
};
const transfer = (hash: string, days: number): PushCause => ({
  kind: 'incoming_transaction',
  account: { chain: 'ton', network: 'mainnet', address: WALLET },
  transaction: hash,
  lt: '1',
  at: afterDays(days),
});
const left = async (...categories: string[]): Promise<string[]> => {
  const types: string[] = [];
  for await (const page of program.deps.engines.store.readAll({ categories }))
    types.push(...page.map(({ type }) => type));
  return types;
};

it('what was notified long ago is deleted, is not notified again, and its device is notified as before', async () => {
  await register('phone');
  await program.happened(transfer('one', 0));
  expect(await program.notified()).toEqual(['phone']);
  await register('tablet');

  program.setClock(afterDays(29));
  for (const retention of [PUSH_NOTIFICATION_RETENTION, PUSH_HOUR_RETENTION])
    expect(await applyIn(program, retention)).toBe(0);
  program.setClock(afterDays(31));
  for (const retention of [PUSH_NOTIFICATION_RETENTION, PUSH_HOUR_RETENTION])
    expect(await applyIn(program, retention)).toBe(1);
  expect(await left('pushNotification', 'pushHour')).toEqual([]);

  await program.happened(transfer('one', 0));
  expect(await program.notified()).toEqual([]);
  await program.happened(transfer('two', 31));
  expect(await program.notified()).toEqual(['phone', 'tablet']);
});

it('registrations that were replaced long ago are deleted, and the device is notified as before', async () => {
  for (let n = 0; n < 5; n++)
    await program.register('198.51.100.7', 'phone', { addresses: n % 2 === 0 ? [WALLET] : [] });
  expect(await left('pushDevice')).toHaveLength(5);
  program.setClock(afterDays(91));
  await register('tablet');
  await applyIn(program, PUSH_DEVICE_RETENTION);
  expect(await left('pushDevice')).toHaveLength(2);
  const { comparison } = await program.deps.engine.rebuild('push-devices', program.deps);
  expect(comparison).toMatchObject({ different: 0, inconclusive: 0 });
  await program.happened(transfer('four', 91));
  expect(await program.notified()).toEqual(['phone', 'tablet']);
});

it('a device that was forgotten long ago is as one that has never registered, also after a rebuild', async () => {
  const { engine, handle, clock, signal } = program.deps;
  const devices = (): Promise<number> => engine.views.count(PUSH_DEVICES.name);
  await register('gone');
  program.setClock(afterDays(80));
  await register('there');
  program.setClock(afterDays(91));
  await applyIn(program, PUSH_DEVICE_RETENTION);
  expect(await devices()).toBe(2);

  await expireDevices({ views: engine.views, handle, clock }, signal);
  await register('new');
  await until(async () => (await devices()) === 2);
  program.setClock(afterDays(182));
  expect(await applyIn(program, PUSH_DEVICE_RETENTION)).toBe(1);
  expect(await left('pushDevice')).toEqual(['PushDeviceRegistered', 'PushDeviceRegistered']);
  const { comparison } = await engine.rebuild('push-devices', program.deps);
  expect(comparison).toMatchObject({ different: 0, inconclusive: 0 });
  expect(await devices()).toBe(2);

  await register('gone');
  await program.happened(transfer('three', 182));
  expect(await program.notified()).toEqual(['gone', 'new', 'there']);
});
