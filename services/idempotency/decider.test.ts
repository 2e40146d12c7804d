import { isRefusal } from '../../contracts/decider';
import type { IdempotencyEvent, RecordedResponse } from '../../contracts/events/idempotency';
import { callDecider, type CallCommand } from './decider';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
const metadata = (second: number) => ({ now: at(second), actor: 'ann' });
const start = (second: number, bodyHash = 'body', attempt = `attempt-${second}`): CallCommand => ({
  type: 'start',
  bodyHash,
  attempt,
  takeOverAfterMs: 30_000,
  metadata: metadata(second),
});
const response: RecordedResponse = { status: 200, headers: {}, content: { form: 'digest', sha256: 'x' } };

const started = (second: number): IdempotencyEvent => ({
  type: 'IdempotentCallStarted',
  data: { bodyHash: 'body', attempt: `attempt-${second}`, at: at(second) },
});
const answered: IdempotencyEvent = { type: 'IdempotentCallAnswered', data: { response, at: at(1) } };
const abandoned = (second: number): IdempotencyEvent => ({
  type: 'IdempotentCallAbandoned',
  data: { attempt: `attempt-${second}`, at: at(9) },
});

const given = (events: readonly IdempotencyEvent[], command: CallCommand) => {
  const decision = callDecider.decide(events.reduce(callDecider.evolve, callDecider.initial()), command);
  return isRefusal(decision) ? decision.code : decision.map(({ type }) => type);
};

it.each<[what: string, before: readonly IdempotencyEvent[], command: CallCommand, expected: unknown]>([
  ['a new key starts', [], start(0), ['IdempotentCallStarted']],
  ['a key in progress is in flight', [started(0)], start(29), 'idempotency_in_flight'],
  ['a key left without a response is taken over', [started(0)], start(30), ['IdempotentCallStarted']],
  ['taken over, it is in flight again', [started(0), started(30)], start(59), 'idempotency_in_flight'],
  ['an abandoned key starts at once', [started(0), abandoned(0)], start(1), ['IdempotentCallStarted']],
  ['an answered key starts nothing', [started(0), answered], start(99), []],
  ['another body is refused while in progress', [started(0)], start(1, 'other'), 'idempotency_key_reused'],
  [
    'another body is refused once answered',
    [started(0), answered],
    start(99, 'other'),
    'idempotency_key_reused',
  ],
  [
    'another body is refused when given up',
    [started(0), abandoned(0)],
    start(1, 'other'),
    'idempotency_key_reused',
  ],
  [
    'a response is recorded',
    [started(0)],
    { type: 'answer', response, metadata: metadata(1) },
    ['IdempotentCallAnswered'],
  ],
  [
    'the first response stays',
    [started(0), answered],
    { type: 'answer', response, metadata: metadata(1) },
    [],
  ],
  [
    'an attempt that was taken over abandons nothing',
    [started(0), started(30)],
    { type: 'abandon', attempt: 'attempt-0', metadata: metadata(31) },
    [],
  ],
])('%s', (_, before, command, expected) => expect(given(before, command)).toEqual(expected));

it('returns how long the attempt in progress has left', () => {
  const state = callDecider.evolve(null, started(0));
  expect(callDecider.decide(state, start(10))).toMatchObject({ extra: { retryAfter: 20 } });
});
