import fc from 'fast-check';
import type { PushDeviceEvent } from '../../contracts/events/push-device';
import { pushAccountId } from '../../contracts/push/push-cause';
import { pushDeviceKind, type PushDeviceCommand } from '../../services/push/device/decider';
import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { runs } from '../../test/random';
import { pushDevicesProjection } from './devices';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const contact = (device: string) => ({ subject: `push:${device}`, ciphertext: 'v1.k.x' });
const stored = (device: string, { type, data }: PushDeviceEvent) =>
  [
    `pushDevice-${device}`,
    { type, data: { ...data }, metadata: { v: type === 'PushDeviceRegistered' ? 3 : 2 } },
  ] as const;

interface Step {
  readonly device: string;
  /** Null retires. */
  readonly accounts: readonly string[] | null;
}

/** The events of steps, one a minute, and what follows from the steps alone. */
function happened(steps: readonly Step[]) {
  const { decider } = pushDeviceKind;
  const states = new Map<string, ReturnType<typeof decider.evolve>>();
  const current = new Map<string, { since: Map<string, number>; registeredAt: number }>();
  const events = steps.flatMap(({ device, accounts }, minute) => {
    const metadata = { now: at(minute), actor: 'test' };
    const command: PushDeviceCommand = accounts
      ? {
          type: 'register',
          deviceId: device,
          contact: contact(device),
          digest: String(minute),
          metadata,
          proven: [],
          source: 'of the day',
          accounts: accounts.map(id => ({ id, source: `${device} at ${id}` })),
        }
      : { type: 'retireUnregistered', sentAt: at(minute), metadata };
    const decided = decider.decide(states.get(device) ?? decider.initial(), command);
    if (!Array.isArray(decided)) throw new Error('refused');
    const all = decided as PushDeviceEvent[];
    states.set(device, all.reduce(decider.evolve, states.get(device) ?? decider.initial()));
    const before = current.get(device)?.since;
    if (!accounts) current.delete(device);
    else
      current.set(device, {
        since: new Map(accounts.map(account => [account, before?.get(account) ?? minute])),
        registeredAt: minute,
      });
    return all.map(event => stored(device, event));
  });
  return { events, current };
}

it('has who follows which account since when, and which accounts anybody follows', async () => {
  const device = fc.constantFrom('d1', 'd2', 'd3');
  const accounts = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
  const steps = fc.array(fc.record({ device, accounts: fc.option(accounts) }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(steps, async all => {
      const { events, current } = happened(all);
      const devices = [...current].sort();
      const followersOf = (account: string) =>
        devices
          .flatMap(([device, { since, registeredAt }]) => {
            const minute = since.get(account);
            if (minute === undefined) return [];
            const times = { since: at(minute), registeredAt: at(registeredAt) };
            return [{ device, ...times, isProven: false, source: `${device} at ${account}` }];
          })
          .sort((one, other) => (one.since < other.since ? -1 : 1));
      const followed = ['a', 'b', 'c'].map(_id => ({ _id, followers: followersOf(_id) }));
      await given(pushDevicesProjection, history(...events)).then({
        push_devices: devices.map(([_id, { registeredAt }]) => ({
          _id,
          contact: contact(_id),
          registeredAt: at(registeredAt),
          source: 'of the day',
        })),
        push_followed_accounts: followed.filter(({ followers }) => followers.length > 0),
      });
    }),
    runs(25),
  );
});

it('names an account by a pseudonym', () => {
  expect(pushAccountId('ton:mainnet:0:ab')).toMatch(/^[0-9a-f]{32}$/);
});
