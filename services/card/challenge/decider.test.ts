import { isRefusal } from '../../../contracts/decider';
import type { CardChallengeEvent } from '../../../contracts/events/card-challenge';
import type { Remove } from '../../retention/retention';
import { cardChallengeKind, whyNotAnswered, type CardChallengeCommand, type ChallengeFacts } from './decider';

const { initial, evolve, decide } = cardChallengeKind.decider;
const at = (second: number) => `2026-11-28T12:00:${String(second).padStart(2, '0')}.000Z`;
const metadata = { now: at(0), actor: 'card issuer' };
const facts: ChallengeFacts = {
  challengeId: 'txn-1',
  network: 'testnet',
  userId: 'alice',
  accountId: 'account-1',
  cardId: 'card-1',
};
const challenge: Extract<CardChallengeCommand, { type: 'receive' }>['challenge'] = {
  ...facts,
  kind: 'confirmation_request',
  code: null,
  amount: { amount: '1250', currency: 'EUR' },
  merchant: null,
  expiresAt: at(30),
};
const received: CardChallengeCommand = { type: 'receive', challenge, metadata };
const answer = (given: 'CONFIRMED' | 'REJECTED', second = 10, userId = 'alice'): CardChallengeCommand => ({
  type: 'answer',
  userId,
  answer: given,
  metadata: { now: at(second), actor: userId },
});
const end = (outcome: 'confirmed' | 'rejected' | 'expired'): CardChallengeCommand => ({
  type: 'end',
  facts,
  outcome,
  metadata,
});

function after(...commands: readonly (CardChallengeCommand | Remove)[]) {
  let state = initial();
  const events: CardChallengeEvent[] = [];
  for (const command of commands) {
    const decision = decide(state, command);
    if (isRefusal(decision)) throw new Error(decision.code);
    events.push(...decision);
    state = decision.reduce(evolve, state);
  }
  return { state, types: events.map(({ type }) => type), why: whyNotAnswered(state, 'alice', at(10)) };
}

it('is received once, answered once, and ended once', () => {
  const { types, state } = after(
    ...[received, received, answer('CONFIRMED'), answer('CONFIRMED'), end('confirmed'), end('expired')],
  );
  expect(types).toEqual(['CardChallengeReceived', 'CardChallengeAnswered', 'CardChallengeEnded']);
  expect(state).toMatchObject({ answer: 'CONFIRMED', outcome: 'confirmed' });
});

it('of two opposite answers the first one counts', () => {
  expect(after(received, answer('REJECTED'), answer('CONFIRMED'))).toMatchObject({
    state: { answer: 'REJECTED' },
    why: 'already_rejected',
  });
  expect(after(received, answer('CONFIRMED'), answer('REJECTED')).why).toBe('already_confirmed');
});

it.each([
  ['one that is unknown', [], 'expired'],
  [
    'one that has expired by its time',
    [{ ...received, challenge: { ...challenge, expiresAt: at(9) } }],
    'expired',
  ],
  ['one that the issuer has ended before its time', [received, end('expired')], 'expired'],
  [
    'one that was answered, but too late for the issuer',
    [received, answer('CONFIRMED'), end('expired')],
    'expired',
  ],
  ['one that the issuer knows to be confirmed', [received, end('confirmed')], 'already_confirmed'],
  ['one that the issuer knows to be rejected', [received, end('rejected')], 'already_rejected'],
  [
    'a code that is typed elsewhere',
    [{ ...received, challenge: { ...challenge, kind: 'otp_code' as const } }],
    'not_confirmation_type',
  ],
] as const)('%s cannot be answered', (_, commands, why) => {
  const before = after(...(commands as readonly CardChallengeCommand[]));
  expect(before.why).toBe(why);
  const { types } = after(...(commands as readonly CardChallengeCommand[]), answer('CONFIRMED'));
  expect(types).toEqual(before.types);
});

it("another's challenge is as one that is unknown", () => {
  const { types, state } = after(received, answer('CONFIRMED', 10, 'mallory'));
  expect(types).toEqual(['CardChallengeReceived']);
  expect(whyNotAnswered(state, 'mallory', at(10))).toBe('expired');
});

it('one that ended before it was received is never asked', () => {
  const { types, why } = after(end('expired'), received);
  expect(types).toEqual(['CardChallengeEnded']);
  expect(why).toBe('expired');
});

it('the end of another card with the same id changes nothing', () => {
  const other: CardChallengeCommand = {
    type: 'end',
    facts: { ...facts, cardId: 'card-2' },
    outcome: 'expired',
    metadata,
  };
  expect(after(received, other).types).toEqual(['CardChallengeReceived']);
});
