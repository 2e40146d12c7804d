import type { AllowedDomainEvent } from '../../contracts/events/allowed-domain';
import { allowedDomainKind, type DomainCommand } from './decider';

const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'cli:ann' };
const event = (type: 'Allowed' | 'Revoked', domain: string): AllowedDomainEvent => ({
  type: `Domain${type}`,
  data: { domain, reason: null, at: metadata.now, by: metadata.actor },
});
const other = 'example.com';
const embedded = '.ton.org';
const { initial, evolve, decide } = allowedDomainKind.decider;

it.each([
  ['is allowed', other, [], 'allow', ['Allowed']],
  ['is allowed once', other, ['Allowed'], 'allow', []],
  ['is revoked', other, ['Allowed'], 'revoke', ['Revoked']],
  ['is not revoked unless it is allowed', other, [], 'revoke', []],
  ['is allowed again', other, ['Allowed', 'Revoked'], 'allow', ['Allowed']],
  ['that comes with the program is allowed already', embedded, [], 'allow', []],
  ['that comes with the program is revoked', embedded, [], 'revoke', ['Revoked']],
  ['that comes with the program is revoked once', embedded, ['Revoked'], 'revoke', []],
  ['that comes with the program is allowed again', embedded, ['Revoked'], 'allow', ['Allowed']],
] as const)('a domain %s', (_what, domain, earlier, type, expected) => {
  const state = earlier.map(each => event(each, domain)).reduce(evolve, initial());
  const command: DomainCommand = { type, domain, reason: null, metadata };
  expect(decide(state, command)).toEqual(expected.map(each => event(each, domain)));
});
