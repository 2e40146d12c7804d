import { isRefusal } from '../../contracts/decider';
import type { IdempotencyEvent, KeptAnswer } from '../../contracts/events/idempotency';
import { callDecider, type CallCommand } from './decider';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
const metadata = (second: number) => ({ now: at(second), actor: 'ann' });
const begin = (second: number, bodyHash = 'body', attempt = `attempt-${second}`): CallCommand => ({
  type: 'begin',
  bodyHash,
  attempt,
  takeOverAfter: 30_000,
  metadata: metadata(second),
});
const answer: KeptAnswer = { status: 200, headers: {}, content: { form: 'digest', sha256: 'x' } };

const begun = (second: number): IdempotencyEvent => ({
  type: 'IdempotentCallBegun',
  data: { bodyHash: 'body', attempt: `attempt-${second}`, at: at(second) },
});
const answered: IdempotencyEvent = { type: 'IdempotentCallAnswered', data: { answer, at: at(1) } };
const givenUp = (second: number): IdempotencyEvent => ({
  type: 'IdempotentCallGivenUp',
  data: { attempt: `attempt-${second}`, at: at(9) },
});

const given = (events: readonly IdempotencyEvent[], command: CallCommand) => {
  const decision = callDecider.decide(events.reduce(callDecider.evolve, callDecider.initial()), command);
  return isRefusal(decision) ? decision.code : decision.map(({ type }) => type);
};

it.each<[what: string, before: readonly IdempotencyEvent[], command: CallCommand, expected: unknown]>([
  ['a new key begins', [], begin(0), ['IdempotentCallBegun']],
  ['a key under way is in flight', [begun(0)], begin(29), 'idempotency_in_flight'],
  ['a key left without an answer is taken over', [begun(0)], begin(30), ['IdempotentCallBegun']],
  ['taken over, it is in flight again', [begun(0), begun(30)], begin(59), 'idempotency_in_flight'],
  ['a key given up begins at once', [begun(0), givenUp(0)], begin(1), ['IdempotentCallBegun']],
  ['an answered key begins nothing', [begun(0), answered], begin(99), []],
  ['another body is refused under way', [begun(0)], begin(1, 'other'), 'idempotency_key_reused'],
  [
    'another body is refused once answered',
    [begun(0), answered],
    begin(99, 'other'),
    'idempotency_key_reused',
  ],
  [
    'another body is refused when given up',
    [begun(0), givenUp(0)],
    begin(1, 'other'),
    'idempotency_key_reused',
  ],
  [
    'an answer is kept',
    [begun(0)],
    { type: 'answer', answer, metadata: metadata(1) },
    ['IdempotentCallAnswered'],
  ],
  ['the first answer stays', [begun(0), answered], { type: 'answer', answer, metadata: metadata(1) }, []],
  [
    'who was taken over gives nothing up',
    [begun(0), begun(30)],
    { type: 'give_up', attempt: 'attempt-0', metadata: metadata(31) },
    [],
  ],
])('%s', (_, before, command, expected) => expect(given(before, command)).toEqual(expected));

it('tells how long the attempt under way has left', () => {
  const state = callDecider.evolve(null, begun(0));
  expect(callDecider.decide(state, begin(10))).toMatchObject({ extra: { retryAfter: 20 } });
});
