import type { ServiceAddressEvent } from '../../contracts/events/service-address';
import { serviceAddressKind, type ServiceAddressCommand } from './decider';

const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'cli:ann' };
const account = { chain: 'ton', network: 'mainnet', address: `0:${'ab'.repeat(32)}` } as const;
const card = { service: 'holders', type: 'deposit', icon: null } as const;
const other = { ...card, type: 'card' } as const;
const by = { at: metadata.now, by: metadata.actor };
const added = (service: typeof card | typeof other): ServiceAddressEvent => ({
  type: 'ServiceAddressAdded',
  data: { account, ...service, ...by },
});
const removed: ServiceAddressEvent = { type: 'ServiceAddressRemoved', data: { account, ...by } };
const add = (service: typeof card | typeof other) => ({ type: 'add', service }) as const;
const remove = { type: 'remove' } as const;
const { initial, evolve, decide } = serviceAddressKind.decider;

it.each([
  ['is added', [], add(card), [added(card)]],
  ['is added once', [added(card)], add(card), []],
  ['is added with another use', [added(card)], add(other), [added(other)]],
  ['is removed', [added(card)], remove, [removed]],
  ['is not removed unless it is there', [added(card), removed], remove, []],
  ['is added again', [added(card), removed], add(card), [added(card)]],
] as const)('an address %s', (_what, earlier, change, expected) => {
  const command: ServiceAddressCommand = { account, metadata, ...change };
  expect(decide(earlier.reduce(evolve, initial()), command)).toEqual(expected);
});
