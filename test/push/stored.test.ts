import { PUSH_DEVICES } from '../../projections/push/devices';
import { expireDevices } from '../../services/push/device/expire';
import { until } from '../until';
import { startPushProgram, type PushProgram } from './program';

/** What anonymous callers leave behind. */

const address = (n: number): string => `0:${n.toString(16).padStart(64, '0')}`;
const at = (date: string): string => `${date}T12:00:00.000Z`;

let program: PushProgram;
beforeEach(async () => {
  program = await startPushProgram(at('2026-03-01'), { MAX_PUSH_DEVICES: '20' });
});
afterEach(() => program.stop());

const register = async (from: string, device: string, wallet = 1): Promise<number> =>
  (await program.register(from, device, { addresses: [address(wallet)] })).status;
const devices = (): Promise<number> => program.deps.engine.views.count(PUSH_DEVICES.name);

it('strangers leave a bounded number of devices, and none keeps an honest one from being registered', async () => {
  for (let stranger = 1; stranger <= 3; stranger++) {
    for (let n = 0; n < 10; n++) await register(`192.0.2.${stranger}`, `${stranger}-${n}`);
    expect(await register(`198.51.100.${stranger}`, `honest-${stranger}`)).toBe(200);
  }
  expect(await devices()).toBeLessThan(20);
  expect(await register('192.0.2.1', 'one-more')).toBe(429);
  // A device that is registered already is not refused.
  expect(await register('192.0.2.1', '1-0', 2)).toBe(200);
});

it('registrations that strangers change again and again are a share of a day, and others are registered beside', async () => {
  await program.stop();
  program = await startPushProgram(at('2026-03-01'), {
    RATE_LIMIT_PUSH_CHANGES: '1000',
    RATE_LIMIT_PUSH_CHANGES_PER_DAY: '40',
  });
  const change = async (from: string, n: number): Promise<number> => {
    const appPublicKey = Buffer.alloc(32, n).toString('base64');
    return (await program.register(from, 'stranger', { addresses: [address(n % 2)], appPublicKey })).status;
  };
  const changed = [];
  for (let n = 0; n < 15; n++) changed.push(await change('192.0.2.1', n));
  for (let n = 20; n < 35; n++) changed.push(await change('192.0.2.2', n));
  expect(changed.filter(status => status === 200)).toHaveLength(17);
  expect(await register('198.51.100.1', 'honest')).toBe(200);
  // An application that registers its device at each start leaves nothing.
  for (let n = 0; n < 30; n++) expect(await register('198.51.100.1', 'honest')).toBe(200);
});

it('a device that has not registered for three months is forgotten', async () => {
  await register('192.0.2.1', 'gone');
  program.setClock(at('2026-04-01'));
  await register('192.0.2.1', 'there');
  program.setClock(at('2026-06-01'));
  const { engine, handle, clock } = program.deps;
  await expireDevices({ views: engine.views, handle, clock }, new AbortController().signal);
  await until(async () => (await devices()) === 1);
  expect(await register('192.0.2.1', 'gone')).toBe(200);
  expect(await devices()).toBe(2);
});
