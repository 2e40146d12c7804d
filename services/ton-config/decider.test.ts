import type { AddressWarningEvent } from '../../contracts/events/address-warning';
import { addressWarningKind, type WarningCommand } from './decider';

const address = `0:${'ab'.repeat(32)}`;
const given = { network: 'mainnet', address, warning: 'spam' } as const;
const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'cli:ann' };
const data = { ...given, at: metadata.now, by: metadata.actor };
const added: AddressWarningEvent = { type: 'AddressWarningAdded', data };
const removed: AddressWarningEvent = { type: 'AddressWarningRemoved', data };
const other: AddressWarningEvent = {
  type: 'AddressWarningAdded',
  data: { ...data, warning: 'restrict_send' },
};

const decide = (events: readonly AddressWarningEvent[], type: WarningCommand['type']) => {
  const { initial, evolve, decide } = addressWarningKind.decider;
  return decide(events.reduce(evolve, initial()), { ...given, type, metadata });
};

it.each([
  ['is added', [], 'add', [added]],
  ['is added once', [added], 'add', []],
  ['is added beside another one', [other], 'add', [added]],
  ['is added again after it was removed', [added, removed], 'add', [added]],
  ['is removed', [added, other], 'remove', [removed]],
  ['is removed once', [added, removed], 'remove', []],
  ['is not removed when it is another one', [other], 'remove', []],
] as const)('a warning %s', (_what, events, type, expected) => {
  expect(decide(events, type)).toEqual(expected);
});
