import type { GaslessBudgetEvent } from '../../../contracts/events/gasless-budget';
import { gaslessBudgetKind, type BudgetCommand } from './decider';

const { initial, evolve, decide } = gaslessBudgetKind.decider;
const about = { network: 'testnet', subject: 'all', bodyHash: 'b' } as const;
const NOON = Date.parse('2026-11-23T12:00:00.000Z');
const at = (seconds: number) => ({ now: new Date(NOON + seconds * 1_000).toISOString(), actor: 'gasless' });
const reserve = (seconds: number, nanotons: bigint, bodyHash = `of ${seconds}`): BudgetCommand => ({
  ...about,
  type: 'reserve',
  bodyHash,
  nanotons,
  metadata: at(seconds),
  limits: { perMinute: 10n, perDay: 25n },
});
const bounce = (seconds: number, bodyHash = String(seconds)): BudgetCommand => ({
  ...about,
  type: 'countBounce',
  bodyHash,
  metadata: at(seconds),
});
const retract = (seconds: number, bodyHash: string): BudgetCommand => ({
  ...about,
  type: 'retractBounce',
  bodyHash,
  metadata: at(seconds),
});

function after(...commands: readonly BudgetCommand[]) {
  return commands.reduce((state, command) => {
    const events = decide(state, command) as readonly GaslessBudgetEvent[];
    expect(events).toHaveLength(1);
    return events.reduce(evolve, state);
  }, initial());
}
const exhausted = { code: 'gasless_budget_exhausted' };
const cooldown = { code: 'gasless_cooldown' };

it('so much is reserved in a minute, and not a nanoton more', () => {
  expect(decide(after(reserve(0, 6n)), reserve(59, 5n))).toMatchObject(exhausted);
  expect(after(reserve(0, 6n), reserve(59, 4n))!.inMinute).toBe('10');
  expect(after(reserve(0, 10n), reserve(60, 10n))!.inDay).toBe('20');
});

it('requests of processes whose clocks differ share a minute and a day, at the turn too', () => {
  const minute = after(reserve(60, 6n), reserve(59, 4n, 'of a clock that is behind'));
  expect(minute!.inMinute).toBe('10');
  expect(decide(minute, reserve(61, 1n))).toMatchObject(exhausted);
  const midnight = 12 * 3_600;
  const day = [0, 60, 59, 120].map((seconds, at) => reserve(midnight - 60 + seconds, 5n, `of ${at}`));
  expect(after(...day)!.inDay).toBe('15');
});

it('a request that several processes were posted is reserved for once', () => {
  const once = after(reserve(0, 6n, 'b'));
  expect(decide(once, reserve(1, 6n, 'b'))).toEqual([]);
  expect(decide(after(bounce(0, 'b')), reserve(1, 6n, 'b'))).toMatchObject(cooldown);
});

it('so much is reserved in a day of UTC', () => {
  const used = after(reserve(0, 10n), reserve(60, 10n));
  expect(decide(used, reserve(120, 6n))).toMatchObject(exhausted);
  expect(after(reserve(0, 10n), reserve(60, 10n), reserve(120, 5n))!.inDay).toBe('25');
  expect(after(reserve(0, 10n), reserve(60, 10n), reserve(12 * 3_600, 10n))!.inDay).toBe('10');
});

it('each bounce makes the next request wait twice as long', () => {
  const one = after(bounce(0));
  expect(decide(one, reserve(59, 1n))).toMatchObject(cooldown);
  expect(decide(one, reserve(60, 1n))).toHaveLength(1);
  const two = after(bounce(0), bounce(60));
  expect(decide(two, reserve(60 + 119, 1n))).toMatchObject(cooldown);
  expect(decide(two, reserve(60 + 120, 1n))).toHaveLength(1);
});

it('a day without a bounce forgets those before', () => {
  const two = after(bounce(0), bounce(60), bounce(180 + 86_400));
  expect(two!.bounces).toBe(1);
});

it('counts a request once, however often it is seen to have bounced', () => {
  expect(decide(after(bounce(0, 'b')), bounce(60, 'b'))).toEqual([]);
  expect(decide(after(bounce(0, 'b'), reserve(60, 1n)), bounce(61, 'b'))).toEqual([]);
});

it('what a fork has had the wallet carry out counts no more, once', () => {
  expect(after(bounce(0, 'b'), retract(1, 'b'))).toMatchObject({ bounces: 0, cooldownUntil: null });
  expect(after(bounce(0, 'b'), bounce(60, 'c'), retract(61, 'b'))).toMatchObject({
    bounces: 1,
    bounced: ['c'],
    cooldownUntil: at(60 + 60).now,
  });
  expect(decide(after(bounce(0, 'b'), retract(1, 'b')), retract(2, 'b'))).toEqual([]);
  expect(decide(initial(), retract(2, 'b'))).toEqual([]);
  expect(after(bounce(0, 'b'), retract(1, 'b'), bounce(2, 'b'))!.bounces).toBe(1);
});
