import { nextPayoutAt, payoutsRemaining } from '../../../projections/card/vesting-schedule';
import { atDay, deposit, open, payOut, payoutsOf, vested } from '../../../test/card/vesting-account';
import { MAX_VESTINGS } from './decider';

const amounts = (run: Parameters<typeof payoutsOf>[0]) => payoutsOf(run).map(({ amount }) => amount);

describe('a vesting account', () => {
  it('is opened once', () => {
    expect(vested([open(), open({ unlockAmountPerPeriod: '1' })]).events).toHaveLength(1);
  });

  it('is not opened where its creator has as many as it may', () => {
    expect(vested([open({}, MAX_VESTINGS - 1)]).refusals).toEqual([]);
    expect(vested([open({}, MAX_VESTINGS)]).refusals).toEqual(['too_many_card_vestings']);
  });

  it('is not opened where its beneficiary has no place for it', () => {
    expect(vested([open({}, 0, false)]).refusals).toEqual(['too_many_card_vestings']);
    expect(vested([open(), open({}, 0, false)]).refusals).toEqual([]);
  });

  it('is not opened where payments start in more than ten years', () => {
    expect(vested([open({ startPaymentsAt: atDay(3_661) })]).refusals).toEqual(['card_vesting_invalid']);
  });

  it('that nobody has opened takes no deposit, and pays nothing', () => {
    expect(vested([deposit(1, 0), payOut(1)]).refusals).toEqual(
      Array<string>(2).fill('card_account_not_found'),
    );
  });
});

describe('a payout', () => {
  it('happens when a period ends, and not before', () => {
    const run = vested([open(), deposit(250, 0), payOut(0.999)]);
    expect(payoutsOf(run)).toEqual([]);
    expect([nextPayoutAt(run.state), payoutsRemaining(run.state)]).toEqual([atDay(1), 3n]);
    const paid = vested([open(), deposit(250, 0), payOut(1)]);
    expect(payoutsOf(paid)).toMatchObject([
      { number: 1, fromPeriod: 1, periods: 1, amount: '100', beneficiaryAccountId: 'account-2' },
    ]);
    expect([nextPayoutAt(paid.state), payoutsRemaining(paid.state)]).toEqual([atDay(2), 2n]);
  });

  it('is of what is left at last, and then none', () => {
    const run = vested([open(), deposit(250, 0), payOut(1), payOut(2), payOut(3), payOut(4)]);
    expect(amounts(run)).toEqual(['100', '100', '50']);
    expect([nextPayoutAt(run.state), payoutsRemaining(run.state)]).toEqual([null, 0n]);
    expect(run.state).toMatchObject({ deposited: '250', paidOut: '250' });
  });

  it('happens once for a period, however often it is asked for', () => {
    expect(amounts(vested([open(), deposit(250, 0), payOut(1), payOut(1), payOut(1.5), payOut(1)]))).toEqual([
      '100',
    ]);
  });

  it('that is late is of all periods that have ended', () => {
    const run = vested([open(), deposit(1_000, 0), payOut(3.5)]);
    expect(payoutsOf(run)).toMatchObject([{ fromPeriod: 1, periods: 3, amount: '300' }]);
    expect(nextPayoutAt(run.state)).toBe(atDay(4));
  });

  it('does not make up for periods that ended while there was nothing', () => {
    const run = vested([open(), deposit(100, 0), payOut(1), deposit(300, 5.5), payOut(5.9), payOut(6)]);
    expect(payoutsOf(run)).toMatchObject([{ fromPeriod: 1 }, { fromPeriod: 6, periods: 1, amount: '100' }]);
  });

  it('that is late does not take from what was deposited later', () => {
    const run = vested([open(), deposit(150, 0), deposit(1_000, 5.5), payOut(5.9)]);
    expect(payoutsOf(run)).toMatchObject([{ fromPeriod: 1, periods: 2, amount: '150' }]);
    expect(nextPayoutAt(run.state)).toBe(atDay(6));
  });

  it('begins with the first period, which may be later', () => {
    const run = vested([open({ startPaymentsAt: atDay(2) }), deposit(250, 0), payOut(2.9), payOut(3)]);
    expect(amounts(run)).toEqual(['100']);
  });
});

it('a deposit counts once', () => {
  const run = vested([open(), deposit(100, 0, 'one'), deposit(100, 0.5, 'one'), deposit(100, 0.5, 'two')]);
  expect(run.state).toMatchObject({ deposited: '200', depositIds: ['one', 'two'] });
});
