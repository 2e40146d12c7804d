import { refuse } from '../../../contracts/decider';
import type { PushDeviceEvent } from '../../../contracts/events/push-device';
import { pushDeviceKind, type PushDeviceCommand } from './decider';

const { initial, evolve, decide } = pushDeviceKind.decider;

const [deviceId, source] = ['d1', '0123456789abcdef'];
const at = (hour: number): string => new Date(Date.UTC(2026, 2, 1, hour)).toISOString();
const metadata = (hour: number) => ({ now: at(hour), actor: 'ann' });
const contact = { subject: 'push:d1', ciphertext: 'v1.k.x' };

type Register = Extract<PushDeviceCommand, { type: 'register' }>;
const register = (hour: number, digest: string, ...accounts: string[]): Register => ({
  type: 'register',
  deviceId,
  contact,
  digest,
  source,
  proven: [],
  metadata: metadata(hour),
  accounts: accounts.map(id => ({ id, source: `at ${id}` })),
});
const prove = (hour: number, digest: string, ...accounts: string[]): PushDeviceCommand => ({
  ...register(hour, digest, 'a', 'b'),
  proven: accounts,
});
const registered = (
  hour: number,
  digest: string,
  accounts: Record<string, number>,
  dropped: string[] = [],
  proven: string[] = [],
): Extract<PushDeviceEvent, { type: 'PushDeviceRegistered' }> => ({
  type: 'PushDeviceRegistered',
  data: {
    deviceId,
    contact,
    digest,
    accounts: Object.entries(accounts).map(([id, since]) => ({
      id,
      since: at(since),
      isAdded: since === hour,
      isProven: proven.includes(id),
      source: `at ${id}`,
    })),
    dropped,
    source,
    at: at(hour),
  },
});
const retired = (
  hour: number,
  reason: 'not_registered' | 'operator' | 'expired',
  ...dropped: string[]
): PushDeviceEvent => ({
  type: 'PushDeviceRetired',
  data: { deviceId, reason, dropped, at: at(hour), by: 'ann' },
});
const unregistered = (hour: number, sent: number): PushDeviceCommand => ({
  type: 'retireUnregistered',
  sentAt: at(sent),
  metadata: metadata(hour),
});
const expire = (hour: number): PushDeviceCommand => ({
  type: 'expire',
  expireAfterMs: 10 * 3_600_000,
  metadata: metadata(hour),
});
const retire = (hour: number): PushDeviceCommand => ({ type: 'retire', metadata: metadata(hour) });

const first = registered(1, 'x', { a: 1, b: 1 });
const renewed = registered(1 + 31 * 24, 'x', { a: 1 + 31 * 24, b: 1 + 31 * 24 });
const lapsed = {
  ...renewed,
  data: { ...renewed.data, accounts: renewed.data.accounts.map(each => ({ ...each, isAdded: false })) },
};

it.each<[string, PushDeviceEvent[], PushDeviceCommand, ReturnType<typeof decide>]>([
  ['a first registration', [], register(1, 'x', 'a', 'b'), [first]],
  ['an equal one changes nothing', [first], register(2, 'x', 'a', 'b'), []],
  [
    'an equal one a day later is recorded, and its accounts are followed since the first',
    [first],
    register(25, 'x', 'a', 'b'),
    [registered(25, 'x', { a: 1, b: 1 })],
  ],
  [
    'one that comes more than thirty days later is followed as one that has just come',
    [first],
    register(1 + 31 * 24, 'x', 'a', 'b'),
    [lapsed],
  ],
  [
    'another one replaces it: what is new is followed from then on',
    [first],
    register(2, 'y', 'b', 'c'),
    [registered(2, 'y', { b: 1, c: 2 }, ['a'])],
  ],
  [
    'what a wallet proves is recorded at once',
    [first],
    prove(2, 'x', 'a'),
    [registered(2, 'x', { a: 1, b: 1 }, [], ['a'])],
  ],
  [
    'and holds without being proven again',
    [registered(2, 'x', { a: 1, b: 1 }, [], ['a'])],
    register(3, 'x', 'a', 'b'),
    [],
  ],
  [
    'until the account is no longer followed',
    [registered(2, 'x', { a: 1, b: 1 }, [], ['a']), registered(3, 'y', { b: 1 }, ['a'])],
    register(4, 'x', 'a', 'b'),
    [registered(4, 'x', { a: 4, b: 1 })],
  ],
  ['one without accounts follows none', [first], register(2, 'y'), [registered(2, 'y', {}, ['a', 'b'])]],
  [
    'what the sender does not reach is retired',
    [first],
    unregistered(3, 2),
    [retired(3, 'not_registered', 'a', 'b')],
  ],
  ['but not when it was registered after that was sent', [first], unregistered(3, 0), []],
  ['an unknown one is not retired', [], unregistered(3, 2), []],
  [
    'one that has not registered for long is retired',
    [first],
    expire(11),
    [retired(11, 'expired', 'a', 'b')],
  ],
  ['and no sooner', [first], expire(10), []],
  ['an operator retires one', [first], retire(4), [retired(4, 'operator', 'a', 'b')]],
  [
    'and can not retire one that is not registered',
    [first, retired(3, 'operator', 'a', 'b')],
    retire(4),
    refuse('push_device_not_found', 'No such device is registered.'),
  ],
  [
    'a retired one that registers again follows its accounts from then on',
    [first, retired(3, 'not_registered', 'a', 'b')],
    register(4, 'x', 'a'),
    [registered(4, 'x', { a: 4 })],
  ],
])('%s', (_what, events, command, expected) => {
  expect(decide(events.reduce(evolve, initial()), command)).toEqual(expected);
});
