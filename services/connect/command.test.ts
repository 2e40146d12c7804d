import type { ConnectCommandEvent, ConnectCommandSubmitted } from '../../contracts/events/connect-command';
import { commandKind } from './command';

const at = (minutes: number): string => new Date(Date.UTC(2026, 2, 1, 12, minutes)).toISOString();
const metadata = (minutes: number) => ({ now: at(minutes), actor: 'test' });

const about = { session: 'k', appPublicKey: 'phone', expiresAt: at(5) };
const command = {
  ...about,
  wallet: '0:a',
  isOfFirstWallets: true,
  source: null,
  command: 'sign',
  job: 'te6c',
} as const;
const submit = (minutes: number) => ({ type: 'submit', command, metadata: metadata(minutes) }) as const;
const remove = (minutes: number) => ({ type: 'remove', metadata: metadata(minutes) }) as const;

const submitted: ConnectCommandSubmitted = {
  type: 'ConnectCommandSubmitted',
  data: { ...command, at: at(0) },
};
const removed = (minutes: number): ConnectCommandEvent => ({
  type: 'ConnectCommandRemoved',
  data: { ...about, submittedAt: at(0), at: at(minutes) },
});

const { initial, evolve, decide } = commandKind.decider;

it.each<[string, ConnectCommandEvent[], Parameters<typeof decide>[1], ConnectCommandEvent[]]>([
  ['is submitted', [], submit(0), [submitted]],
  ['is submitted once', [submitted], submit(1), []],
  ['is removed', [submitted], remove(9), [removed(9)]],
  ['is removed before it has expired', [submitted], remove(4), [removed(4)]],
  ['is not submitted again while it is valid, removed or not', [submitted, removed(3)], submit(4), []],
  ['is removed again while it is valid', [submitted, removed(3)], remove(4), [removed(4)]],
  ['is forgotten once it has expired', [submitted, removed(3)], remove(5), [removed(5)]],
  ['is forgotten once', [submitted, removed(3), removed(5)], remove(6), []],
  ['that nobody has submitted is not removed', [], remove(5), []],
])('a command %s', (_what, events, given, expected) =>
  expect(decide(events.reduce(evolve, initial()), given)).toEqual(expected),
);
