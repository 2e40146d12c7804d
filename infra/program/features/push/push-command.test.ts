import { pushDeviceSubject } from '../../../../contracts/events/push-device';
import { pushNotificationStream } from '../../../../contracts/events/push-notification';
import { parsePushToken } from '../../../../contracts/push/push-token';
import { pushNotificationId, type PushCause } from '../../../../contracts/push/push-cause';
import { NO_LIMITS } from '../../../../contracts/ports/rate-limits';
import { createHandle } from '../../../../services/commands/handle';
import { PUSH_DEVICES, pushDevicesProjection } from '../../../../projections/push/devices';
import { registerDevice } from '../../../../services/push/device/register';
import { contentOf } from '../../../../services/push/notification/content';
import { pushNotificationKind } from '../../../../services/push/notification/decider';
import { commandLine } from '../../../../test/command-line';
import { openPersonalTexts } from '../../personal-texts';
import { eraseCommand } from '../erasure/erase-command';
import { pushCommand } from './push-command';
import { withEngines, withProjections } from '../../commands/with-engines';

const { run, config } = commandLine(pushCommand, eraseCommand);
const push = async (...words: string[]) => JSON.parse(await run('--json', 'push', ...words)) as unknown;

const now = '2026-11-23T12:00:00.000Z';
const [RAW, FRIENDLY] = [`0:${'07'.repeat(32)}`, 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k'];
const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const TOKEN = parsePushToken('ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]')!;
const { deviceId } = TOKEN;
const cause: PushCause = {
  kind: 'incoming_transaction',
  account: { chain: 'ton', network: 'mainnet', address: RAW },
  transaction: 'a/b+c=',
  lt: '42',
  at: now,
};
const id = pushNotificationId(deviceId, cause);

beforeAll(() =>
  withEngines(config(), async ({ engines: { store, vault } }) => {
    const handle = createHandle({ store });
    const texts = await openPersonalTexts(config(), { vault });
    const metadata = { now, actor: 'test' };
    const body = { token: TOKEN, appPublicKey: 'key', addresses: [FRIENDLY, SOLANA], network: undefined };
    const reader = { ip: '192.0.2.1', appendHeader: () => undefined };
    const counted = { store, limits: async () => NO_LIMITS };
    const deps = { handle, ...counted, texts, watch: async () => 1, clock: () => new Date(now) };
    const findKey = async () => Promise.reject(new Error('nothing is signed'));
    const views = { count: async () => 0, getMany: async () => new Map() };
    await registerDevice({ ...deps, findKey, views, maxDevices: 0, sourceOf: ip => ip }, body, reader);
    const shared = { notificationId: id, metadata };
    const content = await texts.encrypt(pushDeviceSubject(deviceId), JSON.stringify(contentOf(cause)));
    await handle(pushNotificationKind, pushNotificationStream(id), {
      type: 'claim',
      ...shared,
      deviceId,
      kind: cause.kind,
      content,
    });
    await handle(pushNotificationKind, pushNotificationStream(id), {
      type: 'recordOutcome',
      ...shared,
      outcome: { type: 'accepted', ticket: 't' },
      retryAt: now,
    });
  }),
);

/** As a running program does. */
const fold = () =>
  withProjections(config(), [pushDevicesProjection], async ({ engine, engines: { store } }) => {
    const running = new AbortController();
    const projecting = engine.run(running.signal);
    expect(await engine.views.waitForPosition(PUSH_DEVICES.name, await store.head(), 60_000)).toBe(true);
    running.abort();
    await projecting;
  });
beforeAll(fold);

const accounts = [`ton:mainnet:${RAW}`, `solana:mainnet:${SOLANA}`];

test('shows notifications and what became of them', async () => {
  const content = {
    title: 'Incoming transaction',
    body: 'UQAH…B5-k has received something',
    data: {
      type: 'incoming_transaction',
      chain: 'ton',
      network: 'mainnet',
      address: FRIENDLY,
      transaction: 'a/b+c=',
      lt: '42',
      url: `ton://tx/${FRIENDLY}/42_a%2Fb%2Bc%3D`,
    },
  };
  expect(await push('outbox')).toEqual({
    notifications: [
      { id, at: now, kind: 'incoming_transaction', device: deviceId, status: 'accepted', content },
    ],
  });
  expect(await run('push', 'outbox', '--limit', '1')).toContain('Incoming transaction: UQAH…B5-k');
});

test('shows devices of an account, and never their tokens', async () => {
  const device = { id: deviceId, registeredAt: now, accounts };
  expect(await push('devices')).toEqual({ devices: [device] });
  for (const address of [RAW, FRIENDLY, SOLANA])
    expect(await push('devices', '--address', address)).toEqual({ devices: [device] });
  expect(await push('devices', '--address', SOLANA, '--network', 'devnet')).toEqual({ devices: [] });
  expect(await run('push', 'devices')).not.toContain('xxxxxxxxxxxxxxxxxxxxxx');
});

test('what is known of a device can be erased, and it is no longer notified once it is retired', async () => {
  await run('erase', '--yes', `push:${deviceId}`);
  expect(await push('devices')).toEqual({ devices: [{ id: deviceId, registeredAt: now, accounts: null }] });
  expect(await push('outbox')).toMatchObject({ notifications: [{ id, content: null }] });
  expect(await push('retire', deviceId)).toEqual({ device: deviceId, retired: true });
  await fold();
  expect(await push('devices')).toEqual({ devices: [] });
  await expect(run('push', 'retire', deviceId)).rejects.toThrow('No such device');
});

test.each([
  [['retire', 'abc'], 'device: '],
  [['outbox', '--limit', '0'], 'limit: '],
  [['devices', '--address', 'nobody'], 'address: '],
  [['devices', '--network', 'betanet'], 'network: '],
  [['devices', '--address', SOLANA, '--network', 'testnet'], 'network: '],
])('%j is wrong: %s', async (words, message) => {
  await expect(run('push', ...words)).rejects.toThrow(message);
});
