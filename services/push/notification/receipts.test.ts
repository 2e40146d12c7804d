import { pushDeviceStream } from '../../../contracts/events/push-device';
import { pushNotificationStream } from '../../../contracts/events/push-notification';
import type { PushReceipt } from '../../../contracts/ports/push-sender';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { openRecordedJobs, type RecordedJobs } from '../../../test/doubles/jobs';
import { until } from '../../../test/until';
import { createHandle } from '../../commands/handle';
import { pushDeviceKind } from '../device/decider';
import { pushNotificationKind } from './decider';
import { PUSH_RECEIPTS, receiptsJob } from './jobs';
import { workReceipts, type ReceiptDeps } from './receipts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const text = { subject: 's', ciphertext: 'v1.k.x' };
const large: PushReceipt = { type: 'undelivered', reason: 'message_too_big', message: 'large' };
const gone: PushReceipt = { type: 'undelivered', reason: 'device_not_registered', message: 'gone' };

const store = new InMemoryEventStore();
const handle = createHandle({ store });
const receipts = new Map<string, PushReceipt>();
const outcomes: string[] = [];
let isDown = false;
let asked = 0;
let jobs: RecordedJobs;
let stopped: AbortController;
let running: Promise<void>;
beforeEach(() => {
  jobs = openRecordedJobs({ maxDelayMs: 0 });
  stopped = new AbortController();
  const deps: ReceiptDeps = {
    handle,
    jobs,
    sender: async () => ({
      async receipts(tickets) {
        asked += 1;
        if (isDown) throw new Error('Expo is down');
        return new Map([...receipts].filter(([ticket]) => tickets.includes(ticket)));
      },
    }),
    clock: () => new Date(at(30)),
    onReceipt: outcome => void outcomes.push(outcome),
  };
  running = workReceipts(deps, stopped.signal);
  outcomes.length = 0;
});
afterEach(async () => {
  stopped.abort();
  await running;
  await jobs.close();
});

/** A device registered at a minute, to which a notification was sent at minute 15. */
async function sent(deviceId: string, registeredAt: number) {
  const metadata = { now: at(registeredAt), actor: 'test' };
  const notificationId = `n-${deviceId}`;
  const shared = { notificationId, metadata };
  await handle(pushDeviceKind, pushDeviceStream(deviceId), {
    type: 'register',
    deviceId,
    contact: text,
    digest: '',
    accounts: [],
    proven: [],
    source: null,
    metadata,
  } as never);
  const stream = pushNotificationStream(notificationId);
  await handle(pushNotificationKind, stream, {
    type: 'claim',
    ...shared,
    deviceId,
    kind: 'order_status',
    content: text,
  } as never);
  await handle(pushNotificationKind, stream, {
    type: 'recordOutcome',
    ...shared,
    outcome: { type: 'accepted', ticket: deviceId },
    retryAt: at(0),
  } as never);
  return { ticket: deviceId, notificationId, deviceId };
}
const lastOf = (stream: string): string => store.stored.byStream.get(stream)!.at(-1)!.type;

it('retires devices that are gone, unless they were registered since', async () => {
  const all = [await sent('here', 1), await sent('gone', 1), await sent('again', 20)];
  receipts.set('here', { type: 'delivered' }).set('gone', gone).set('again', gone);
  await jobs.add(receiptsJob(all, at(15), 1)!);
  await until(() => outcomes.length === 3);
  await until(() => lastOf(pushDeviceStream('gone')) === 'PushDeviceRetired');
  expect(outcomes.sort()).toEqual(['delivered', 'undelivered', 'undelivered']);
  expect(['here', 'again'].map(device => lastOf(pushDeviceStream(device)))).toEqual([
    'PushDeviceRegistered',
    'PushDeviceRegistered',
  ]);
  const ends = ['here', 'gone'].map(device => lastOf(pushNotificationStream(`n-${device}`)));
  expect(ends).toEqual(['PushNotificationAccepted', 'PushNotificationUndelivered']);
});

it('does not retire a device that one notification did not reach', async () => {
  receipts.set('reached', large);
  await jobs.add(receiptsJob([await sent('reached', 1)], at(15), 1)!);
  await until(() => outcomes.length === 1);
  // The job ends after this.
  await until(async () => (await jobs.counts(PUSH_RECEIPTS)).running === 0);
  expect(lastOf(pushNotificationStream('n-reached'))).toBe('PushNotificationUndelivered');
  expect(lastOf(pushDeviceStream('reached'))).toBe('PushDeviceRegistered');
});

it('asks again, later and later, for receipts that there are not yet, and then no more', async () => {
  const waits = [await sent('slow', 1)];
  await jobs.add(receiptsJob(waits, at(15), 1)!);
  await until(() => outcomes.length === 1);
  expect(outcomes).toEqual(['missing']);
  expect(jobs.added.map(({ delayMs }) => delayMs! / 60_000)).toEqual([15, 45, 240]);
});

it('tries again when the sender does not answer', async () => {
  isDown = true;
  const job = receiptsJob([await sent('late', 1)], at(15), 1)!;
  receipts.set('late', { type: 'delivered' });
  await jobs.add({ ...job, backoffMs: 1 });
  const before = asked;
  await until(() => asked >= before + 2);
  isDown = false;
  await until(() => outcomes.length === 1);
  expect(outcomes).toEqual(['delivered']);
});
