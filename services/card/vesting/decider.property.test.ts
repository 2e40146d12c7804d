import fc from 'fast-check';
import { vestingPayoutId } from '../../../contracts/events/card-vesting';
import { vestingBalance } from '../../../projections/card/vesting-schedule';
import { after, command, opened } from '../../../test/card/account';
import { runs } from '../../../test/random';
import { DAY_S, deposit, open, payOut, payoutsOf, vested } from '../../../test/card/vesting-account';

const LAST_DAY = 40;
/** Instants in eighths of a day, so that some are those at which periods end. */
const instant = fc.integer({ min: 0, max: LAST_DAY * 8 }).map(eighths => eighths / 8);

const schedule = fc.record({
  unlocked: fc.integer({ min: 1, max: 500 }),
  periodDays: fc.constantFrom(0.125, 0.5, 1, 3, 7.25),
  startDay: instant,
  deposits: fc.array(fc.record({ day: instant, amount: fc.integer({ min: 1, max: 2_000 }) }), {
    maxLength: 8,
  }),
  /** When jobs run: late, early, several times, or never. */
  jobs: fc.array(instant, { maxLength: 30 }),
});
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

/** Commands in the order of time; at one instant payouts come first where `payoutsFirst`, and last otherwise. */
function commandsOf(
  { unlocked, periodDays, startDay, deposits }: Schedule,
  jobs: readonly number[],
  payoutsFirst: boolean,
) {
  const opening = open({
    unlockAmountPerPeriod: String(unlocked),
    unlockPeriodSeconds: periodDays * DAY_S,
    startPaymentsAt: new Date(
      Date.parse('2026-11-23T12:00:00.000Z') + startDay * DAY_S * 1_000,
    ).toISOString(),
  });
  const timed = [
    ...jobs.map(day => ({ day, place: payoutsFirst ? 0 : 2, made: payOut(day) })),
    ...deposits.map(({ day, amount }, n) => ({ day, place: 1, made: deposit(amount, day, `deposit-${n}`) })),
  ].sort((a, b) => a.day - b.day || a.place - b.place);
  return [opening, ...timed.map(({ made }) => made), payOut(LAST_DAY)];
}

it('what was deposited is what there is and what was paid out, whatever jobs run when, and the end is that of jobs in time', () => {
  fc.assert(
    fc.property(schedule, fc.boolean(), (given, payoutsFirst) => {
      const run = vested(commandsOf(given, given.jobs, payoutsFirst), state => {
        expect(vestingBalance(state)).toBeGreaterThanOrEqual(0n);
        expect(BigInt(state.deposited)).toBe(vestingBalance(state) + BigInt(state.paidOut));
      });
      const ends = Array.from(
        { length: Math.ceil(LAST_DAY / given.periodDays) },
        (_, n) => given.startDay + (n + 1) * given.periodDays,
      ).filter(day => day <= LAST_DAY);
      const inTime = vested(commandsOf(given, ends, true));
      const endOf = ({ payouts: _, ...state }: typeof run.state) => state;
      expect(endOf(run.state)).toEqual(endOf(inTime.state));
      expect(run.state.deposited).toBe(String(given.deposits.reduce((sum, { amount }) => sum + amount, 0)));
      const paid = payoutsOf(run);
      expect(String(paid.reduce((sum, { amount }) => sum + BigInt(amount), 0n))).toBe(run.state.paidOut);
      // No period is paid twice.
      for (const [n, { fromPeriod }] of paid.entries()) {
        const before = paid[n - 1];
        if (before) expect(fromPeriod).toBeGreaterThanOrEqual(before.fromPeriod + before.periods);
      }
    }),
    runs(300),
  );
});

it('the account of the beneficiary has what was paid out, in whichever order payouts arrive, and however often', () => {
  fc.assert(
    fc.property(schedule, fc.infiniteStream(fc.nat(1_000)), (given, random) => {
      const run = vested(commandsOf(given, given.jobs, true));
      const payouts = payoutsOf(run).map(({ vestingId, number, amount }) => {
        const transactionId = vestingPayoutId(vestingId, number);
        const side = { cardId: null, amount, currency: 'TON' };
        const transfer = {
          from: { accountId: vestingId, ...side },
          to: { accountId: 'account-2', ...side },
          rate: { units: '1', per: '1' },
        };
        return command('receiveTransfer', {
          transactionId,
          entryId: transactionId,
          cardId: null,
          transfer,
        });
      });
      const arriving = [...payouts, ...payouts.slice(1)]
        .map(each => [random.next().value, each] as const)
        .sort(([a], [b]) => a - b)
        .map(([, each]) => each);
      expect(after(opened(), ...arriving).state.balance.posted).toBe(run.state.paidOut);
    }),
    runs(300),
  );
});
