import type { AppVerificationEvent } from '../../../contracts/events/app-verification';
import { appVerificationKind } from './decider';

const of = { url: 'https://app.example.com', reason: null };
const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'cli:ann' };
const event = (type: AppVerificationEvent['type']): AppVerificationEvent => ({
  type,
  data: { ...of, at: metadata.now, by: metadata.actor },
});
const { initial, evolve, decide } = appVerificationKind.decider;

it.each([
  ['is verified', [], 'verify', ['AppVerified']],
  ['is verified once', ['AppVerified'], 'verify', []],
  ['is unverified', ['AppVerified'], 'unverify', ['AppUnverified']],
  ['is not unverified unless it is verified', [], 'unverify', []],
  ['is verified again', ['AppVerified', 'AppUnverified'], 'verify', ['AppVerified']],
] as const)('an application %s', (_what, earlier, type, expected) => {
  const state = earlier.map(event).reduce(evolve, initial());
  expect(decide(state, { type, ...of, metadata })).toEqual(expected.map(event));
});
