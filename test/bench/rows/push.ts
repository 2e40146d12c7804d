import { NO_LIMITS } from '../../../contracts/ports/rate-limits';
import { parsePushToken } from '../../../contracts/push/push-token';
import type { PushCause } from '../../../contracts/push/push-cause';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { openExpo } from '../../../infra/engines/push-sender/expo';
import { readConfig } from '../../../infra/program/settings/config';
import { createLogger } from '../../../infra/config/logger';
import { PUSH_DEVICES, pushDevicesProjection } from '../../../projections/push/devices';
import { MAX_DEVICES } from '../../../projections/push/followers';
import { openSubjectKeys } from '../../../services/personal-texts/keys';
import { createPersonalTexts } from '../../../services/personal-texts/personal-texts';
import { createHandle } from '../../../services/commands/handle';
import { createCallerSource } from '../../../services/http/caller-source';
import { causeJob } from '../../../services/push/causes/reactions';
import { workCauses } from '../../../services/push/causes/worker';
import { registerDevice } from '../../../services/push/device/register';
import { workNotifications } from '../../../services/push/notification/worker';
import { createWatch } from '../../../services/watch/commands';
import { run } from '../child';
import { figure, median, once, paired } from '../figure';
import { interleave } from '../interleave';
import type { ExpoSent } from '../programs/expo-double';
import { projectionEngine } from '../projection-engine';
import type { Row } from '../row';

const CALLERS = 64;
const NOTIFIED = 1_000;
const ACCOUNTS = NOTIFIED / MAX_DEVICES;
const KEY = Buffer.alloc(32, 1);
const POLL_MS = 5;

/** Accounts that receive something in one block come first, with as many devices each as are notified. */
const addressOf = (n: number): string => {
  const account = n < NOTIFIED ? n % ACCOUNTS : n;
  return `0:${(account + 1).toString(16).padStart(64, '0')}`;
};
const tokenOf = (n: number): string => `ExponentPushToken[${String(n).padStart(22, 'x')}]`;

/**
 * Registrations as the endpoint makes them: the account is watched, the registration encrypted with a key of its own. Then one
 * block in which 100 accounts with ten devices each receive something, among 100,000 devices: from its causes until Expo has
 * all 1,000 notifications; the double of Expo in a process of its own, engines on disk. The floor is the adapter alone, which
 * records nothing.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const [devices, milliseconds, rounds, blocks] = sized({
    full: [100_000, 2_000, 8, 6],
    quick: [10_000, 500, 3, 2],
    smallest: [1_000, 50, 1, 1],
  });
  const double = run('programs/expo-double', []);
  const clock = (): Date => new Date();
  const expo = await openExpo({ url: await double.next<string>(), clock });
  const { close, ...engines } = openEmbeddedEngines(readConfig({ DATA_DIR: folder }));
  const { store, jobs, vault } = engines;
  const handle = createHandle({ store });
  const texts = createPersonalTexts(await openSubjectKeys(vault, KEY));
  const logger = createLogger('warn');
  const stop = new AbortController();
  const { signal } = stop;
  const engine = projectionEngine(engines, signal, [pushDevicesProjection]);
  const { views } = engine;

  const findKey = async (): Promise<Buffer> => Promise.reject(new Error('nothing is signed'));
  const sourceOf = createCallerSource(KEY, clock);
  let registered = 0;
  const deps = {
    handle,
    store,
    limits: async () => NO_LIMITS,
    texts,
    watch: createWatch({ store, clock }),
    clock,
    findKey,
    sourceOf,
    views,
    maxDevices: 0,
  };
  const reader = { ip: '192.0.2.1', appendHeader: () => undefined };
  const register = async (): Promise<void> => {
    const n = registered++;
    const body = { token: parsePushToken(tokenOf(n))!, appPublicKey: KEY.toString('base64') };
    await registerDevice(deps, { ...body, addresses: [addressOf(n)], network: undefined }, reader);
  };
  const during = async (callers: number, isOver: () => boolean): Promise<number> => {
    const began = performance.now();
    const before = registered;
    const call = async (): Promise<void> => {
      while (!isOver()) await register();
    };
    await Promise.all(Array.from({ length: callers }, call));
    return ((registered - before) / (performance.now() - began)) * 1_000;
  };
  const lasting = (callers: number): Promise<number> => {
    const end = performance.now() + milliseconds;
    return during(callers, () => performance.now() >= end);
  };
  await lasting(CALLERS);
  say(`${rounds} rounds of ${milliseconds} ms`);
  const { alone, together } = await interleave(rounds, {
    alone: () => lasting(1),
    together: () => lasting(CALLERS),
  });
  say(`registering ${devices} devices`);
  await during(CALLERS, () => registered >= devices);
  const working = [
    engine.run(signal),
    workCauses({ views, store, jobs }, signal),
    workNotifications(
      { views, texts, handle, jobs, sender: async () => expo, clock, logger, onOutcome: () => undefined },
      signal,
    ),
  ];
  await views.waitForPosition(PUSH_DEVICES.name, await store.head(), 600_000);

  const took = { ours: [] as number[], floor: [] as number[] };
  const calls: number[] = [];
  for (let block = 0; block < blocks; block++) {
    const at = clock().toISOString();
    const causes = Array.from({ length: ACCOUNTS }, (_, n): PushCause => {
      const account = { chain: 'ton', network: 'mainnet', address: addressOf(n) } as const;
      return { kind: 'incoming_transaction', account, transaction: `${block}`, lt: `${block}`, at };
    });
    const began = performance.now();
    await Promise.all(causes.map(cause => jobs.add(causeJob(cause))));
    let sent: ExpoSent = { devices: 0, messages: 0, calls: [] };
    while (sent.messages < NOTIFIED) {
      await new Promise(resolve => setTimeout(resolve, POLL_MS));
      const { devices, messages, calls } = await double.ask<ExpoSent>('sent');
      sent = {
        devices: sent.devices + devices,
        messages: sent.messages + messages,
        calls: [...sent.calls, ...calls],
      };
    }
    took.ours.push(performance.now() - began);
    if (sent.messages !== NOTIFIED || sent.devices !== NOTIFIED)
      throw new Error(`${sent.messages} notifications to ${sent.devices} devices`);
    calls.push(sent.calls.length);
    took.floor.push(await sendAlone());
    await double.ask<ExpoSent>('sent');
  }

  /** Milliseconds. */
  async function sendAlone(): Promise<number> {
    const began = performance.now();
    const messages = Array.from({ length: NOTIFIED }, (_, n) => ({
      to: tokenOf(n),
      title: 'Incoming transaction',
      body: 'UQAH…B5-k has received something',
      data: { n },
      expiresAt: Date.now() + 60_000,
    }));
    const batches = Array.from({ length: NOTIFIED / 100 }, (_, n) => messages.slice(n * 100, n * 100 + 100));
    await Promise.all(batches.map(batch => expo.send(batch)));
    return performance.now() - began;
  }

  stop.abort();
  await Promise.all(working);
  await close();
  await expo.close();
  await double.stop();
  return [
    figure(
      { what: 'device registrations, 64 at once: to one after the other', unit: 'registrations/s' },
      paired(together, alone),
      { of: 'ratio', atLeast: 4 },
    ),
    figure(
      {
        what: `1,000 of ${devices.toLocaleString('en')} devices notified: to Expo alone`,
        unit: 'ms',
        note: `${median(calls)} calls, none doubled`,
      },
      paired(took.ours, took.floor),
      { of: 'value', atMost: 5_000 },
    ),
    figure(
      { what: 'calls to Expo for 1,000 notifications, to full ones', unit: 'calls' },
      once(median(calls), NOTIFIED / 100),
      { of: 'ratio', atMost: 2 },
    ),
  ];
};
