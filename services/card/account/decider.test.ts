import type { CardAccountEvent } from '../../../contracts/events/card-account';
import { MAX_APPEND_BYTES } from '../../../contracts/ports/event-store';
import { availableOf } from './balance';
import type { CardAccountCommand } from './command';
import { cardAccountKind } from './decider';
import type { CardAccount } from './state';
import { holdOf } from './transaction';
import { after, amountsOf, command, NOON, opened, toppedUp } from '../../../test/card/account';

const authorise = (fiat: number, rest: object = {}) =>
  command('authorise', { isIncrement: false, blocked: null, amounts: amountsOf(fiat), ...rest });
const authorised = (fiat: number, rest: object = {}) =>
  command('recordAuthorised', { amounts: amountsOf(fiat), ...rest });
const incremented = (fiat: number, rest: object = {}) =>
  command('recordIncremented', { amounts: amountsOf(fiat), ...rest });
const reversed = (fiat: number, rest: object = {}) =>
  command('recordReversed', { amounts: amountsOf(fiat), ...rest });
const cleared = (entryId: string, fiat: number, final: boolean, rest: object = {}) =>
  command('recordCleared', {
    entryId,
    amounts: amountsOf(fiat),
    ofAuthorisation: String(fiat),
    final,
    forced: false,
    interchange: null,
    ...rest,
  });
const refunded = (fiat: number, rest: object = {}) =>
  command('recordRefunded', {
    transactionId: 'refund-1',
    amounts: amountsOf(fiat),
    full: false,
    ...rest,
  });

const given = (...commands: readonly CardAccountCommand[]) => after(opened(), toppedUp(10_000), ...commands);
const balanceAfter = (...commands: readonly CardAccountCommand[]) => {
  const { balance, transactions } = given(...commands).state;
  const hold = holdOf(transactions['purchase-1']?.entries ?? []);
  return [Number(balance.posted), Number(hold), Number(availableOf(balance))];
};

const VECTOR: readonly (readonly [CardAccountCommand, readonly number[]])[] = [
  [authorise(2_500), [10_000, 2_500, 7_500]],
  [incremented(500), [10_000, 3_000, 7_000]],
  [reversed(1_000), [10_000, 2_000, 8_000]],
  [cleared('clearing-1', 1_200, false), [8_800, 800, 8_000]],
  [cleared('clearing-2', 1_000, true), [7_800, 0, 7_800]],
  [cleared('forced', 9_000, true, { transactionId: 'forced', forced: true }), [-1_200, 0, -1_200]],
  [refunded(500), [-700, 0, -700]],
];

it.each(VECTOR.map(([, balance], step) => [step, balance] as const))(
  'the balance after step %i of a purchase is %j',
  (step, balance) => {
    const steps = VECTOR.slice(0, step + 1).map(([each]) => each);
    expect(balanceAfter(...steps)).toEqual(balance);
    expect(balanceAfter(...steps, ...steps)).toEqual(balance);
  },
);

it('ends the same when it arrives in another order', () => {
  const [authorisation, increment, reversal, first, second, ...rest] = VECTOR.map(([each]) => each);
  const asAdvice = authorised(2_500, { entryId: 'authorise' });
  expect(balanceAfter(second!, asAdvice, first!, reversal!, increment!)).toEqual([7_800, 0, 7_800]);
  expect(balanceAfter(...rest, second!, authorisation!, first!, reversal!, increment!)).toEqual([
    -700, 0, -700,
  ]);
});

it('a purchase that was voided or has expired holds nothing, whatever arrives later', () => {
  for (const end of ['recordVoided', 'recordExpired'] as const) {
    expect(balanceAfter(authorised(2_500), command(end), incremented(500))).toEqual([10_000, 0, 10_000]);
    expect(balanceAfter(command(end), authorised(2_500))).toEqual([10_000, 0, 10_000]);
    expect(balanceAfter(command(end), cleared('late', 700, true))).toEqual([9_300, 0, 9_300]);
  }
});

it('a chargeback gives back what the merchant takes again when it wins', () => {
  const chargeback = {
    transactionId: 'chargeback-1',
    amounts: amountsOf(700),
    full: false,
  };
  const lost = command('recordChargedBack', chargeback);
  expect(balanceAfter(cleared('c', 700, true), lost)).toEqual([10_000, 0, 10_000]);
  const won = command('recordChargebackReversed', chargeback);
  expect(balanceAfter(cleared('c', 700, true), lost, won)).toEqual([9_300, 0, 9_300]);
});

it('what is earned with a clearing falls away when all of the purchase is given back, in any order', () => {
  const earning = cleared('c', 1_000, true, { interchange: '15' });
  const fee = { entryId: 'c', amount: '15', gross: '1000', currency: 'EUR', at: NOON };
  const back = refunded(1_000, { transactionId: 'purchase-1', full: true });
  const last = (...commands: readonly CardAccountCommand[]) => given(...commands).events.at(-1)!.data;
  expect(last(earning)).toMatchObject({ earned: fee });
  expect(last(earning, back)).toMatchObject({ reversedFees: [fee] });
  expect(last(back, earning)).toMatchObject({ earned: null });
  const half = refunded(500, { transactionId: 'purchase-1', full: false });
  expect(last(earning, half)).toMatchObject({ reversedFees: [] });
  const twice = command('recordChargedBack', { amounts: amountsOf(1_000), full: true });
  expect(last(earning, back, twice)).toMatchObject({ reversedFees: [] });
});

it('what is earned with a clearing is of what was cleared, whatever of it was authorised', () => {
  const tipped = cleared('c', 1_200, true, { ofAuthorisation: '1000', interchange: '15' });
  const forced = cleared('c', 900, true, { ofAuthorisation: '0', forced: true, interchange: '15' });
  const back = refunded(1_200, { transactionId: 'purchase-1', full: true });
  for (const [earning, gross] of [
    [tipped, '1200'],
    [forced, '900'],
  ] as const) {
    expect(given(earning).events.at(-1)!.data).toMatchObject({ earned: { gross } });
    expect(given(earning, back).events.at(-1)!.data).toMatchObject({ reversedFees: [{ gross }] });
  }
});

it('what a clearing reduces the hold by is in the currency that was authorised, what it posts is its own', () => {
  const rate = { units: '4000001', per: '3' };
  const { state, events } = after(
    ...[opened(), toppedUp(100_000_000)],
    authorised(10, { amounts: amountsOf(10, rate) }),
    cleared('clearing-1', 11, false, {
      amounts: amountsOf(11, { units: '1300000', per: '1' }),
      ofAuthorisation: '4',
    }),
  );
  expect(state.balance).toMatchObject({ posted: '85700000', held: '8000002' });
  expect(events.at(-1)).toMatchObject({ type: 'CardPurchaseCleared', data: { rounding: '0' } });
});

it('the rounding of a conversion is part of the posting', () => {
  const { events } = given(cleared('c', 5, true, { amounts: amountsOf(5, { units: '3', per: '2' }) }));
  expect(events.at(-1)!.data).toMatchObject({ rounding: '-1', entry: { posted: '-8' } });
});

describe('an authorisation', () => {
  const reasons = (...commands: readonly CardAccountCommand[]) =>
    given(...commands).events.flatMap(({ type, data }) =>
      type === 'CardPurchaseDeclined' ? [data.reason] : [],
    );

  it('is declined for more than is there, and holds nothing then', () => {
    expect(reasons(authorise(10_001))).toEqual(['insufficient_funds']);
    expect(balanceAfter(authorise(10_001))).toEqual([10_000, 0, 10_000]);
    expect(balanceAfter(authorise(10_000))).toEqual([10_000, 10_000, 0]);
  });

  it('is answered the same when it is repeated, also after a top-up', () => {
    const again = command('topUp', {
      transactionId: 'top-up/2',
      entryId: 'top-up/2',
      amount: '5000',
      cardId: null,
      chain: { account: { chain: 'ton', network: 'testnet', address: '0:2' }, hash: '2', lt: null },
    });
    expect(reasons(authorise(10_001), again, authorise(10_001, { entryId: 'again' }))).toHaveLength(1);
    expect(balanceAfter(authorise(500), authorise(500, { entryId: 'again' }))).toEqual([10_000, 500, 9_500]);
  });

  it('is declined where the card, its user or the account may not buy', () => {
    expect(reasons(authorise(1, { blocked: 'card_frozen' }))).toEqual(['card_frozen']);
    const suspended = command('changeState', { to: 'SUSPENDED', by: 'operator' });
    expect(reasons(suspended, authorise(1))).toEqual(['account_not_active']);
  });

  it('finds a hold expired of which nothing was heard for a month', () => {
    const later = (days: number) => {
      const now = new Date(Date.parse(NOON) + days * 86_400_000).toISOString();
      const terms = { transactionId: 'purchase-2', entryId: 'later', occurredAt: now };
      return authorise(10_000, { ...terms, metadata: { now, actor: 'issuer' } });
    };
    expect(reasons(authorise(5_000), later(31))).toEqual(['insufficient_funds']);
    const { state, events } = given(authorise(5_000), later(32), later(32));
    expect(events.slice(-2).map(({ type }) => type)).toEqual([
      'CardPurchaseExpired',
      'CardPurchaseAuthorised',
    ]);
    expect(state.balance).toMatchObject({ posted: '10000', held: '10000' });
    const late = given(authorise(5_000), later(32), cleared('late', 4_000, true)).state;
    expect(late.balance).toMatchObject({ posted: '6000', held: '10000' });
  });

  it('that the issuer has approved in our place holds all the same', () => {
    expect(balanceAfter(authorise(10_001), authorised(10_001))).toEqual([10_000, 10_001, -1]);
  });

  it('for more of a purchase is decided by what the hold grows by', () => {
    const more = authorise(7_000, { isIncrement: true, entryId: 'more' });
    expect(reasons(authorise(4_000), more)).toEqual(['insufficient_funds']);
    expect(balanceAfter(authorise(3_000), more)).toEqual([10_000, 10_000, 0]);
  });
});

describe('limits', () => {
  const limits = { onetime: '1000', daily: '1500', monthly: '2000' };
  const at = (occurredAt: string, transactionId: string) => ({
    occurredAt,
    transactionId,
    entryId: transactionId,
  });
  const declined = (tzOffset: number, ...commands: readonly CardAccountCommand[]) =>
    after(opened({ limits, tzOffset }), toppedUp(10_000), ...commands).events.flatMap(({ type, data }) =>
      type === 'CardPurchaseDeclined' ? [`${data.transactionId} ${data.reason}`] : [],
    );

  it('are of one purchase, a day and a month', () => {
    expect(
      declined(
        0,
        authorise(1_001, at('2026-11-23T12:00:00.000Z', 'a')),
        authorise(1_000, at('2026-11-23T12:00:00.000Z', 'b')),
        authorise(501, at('2026-11-23T23:59:59.999Z', 'c')),
        authorise(500, at('2026-11-23T23:59:59.999Z', 'd')),
        authorise(501, at('2026-11-24T00:00:00.000Z', 'e')),
        authorise(500, at('2026-11-24T00:00:00.000Z', 'f')),
        authorise(1_000, at('2026-12-01T00:00:00.000Z', 'g')),
      ),
    ).toEqual(['a limit_onetime', 'c limit_daily', 'e limit_monthly']);
  });

  it('are of days in the time zone of the account', () => {
    const evening = authorise(1_000, at('2026-11-23T22:59:59.999Z', 'a'));
    const night = authorise(1_000, at('2026-11-23T23:00:00.000Z', 'b'));
    expect(declined(60, evening, night)).toEqual([]);
    expect(declined(0, evening, night)).toEqual(['b limit_daily']);
  });

  it('are given back by a reversal on the same day, and by no later one', () => {
    const bought = authorise(1_000, at('2026-11-23T12:00:00.000Z', 'a'));
    const back = (day: string) =>
      reversed(1_000, { ...at(`2026-11-${day}T13:00:00.000Z`, 'a'), entryId: 'back' });
    const next = (day: string, fiat: number) => authorise(fiat, at(`2026-11-${day}T14:00:00.000Z`, 'b'));
    expect(declined(0, bought, back('23'), next('23', 1_000))).toEqual([]);
    expect(declined(0, bought, next('23', 1_000))).toEqual(['b limit_daily']);
    const another = authorise(1_000, at('2026-11-24T15:00:00.000Z', 'c'));
    expect(declined(0, bought, back('24'), next('24', 1_000), another)).toEqual(['c limit_daily']);
  });

  it('are not given back when a purchase is cleared', () => {
    const bought = authorise(1_000, at('2026-11-23T12:00:00.000Z', 'a'));
    const paid = cleared('c', 900, true, { transactionId: 'a' });
    const next = authorise(501, at('2026-11-23T14:00:00.000Z', 'b'));
    expect(declined(0, bought, paid, next)).toEqual(['b limit_daily']);
  });

  it('that are higher hold after a grace period, lower ones at once', () => {
    const change = (daily: string, by = 'holder') =>
      command('changeLimits', { limits: { onetime: daily, daily, monthly: daily }, by });
    const soon = authorise(900, at('2026-11-23T12:59:59.999Z', 'a'));
    const later = authorise(900, at('2026-11-23T13:00:00.000Z', 'b'));
    expect(declined(0, change('500'), soon)).toEqual(['a limit_onetime']);
    expect(declined(0, change('500'), change('900'), soon, later)).toEqual(['a limit_onetime']);
    expect(declined(0, change('500'), change('900', 'operator'), soon)).toEqual([]);
  });

  it('contradict each other', () => {
    const contradicting = command('changeLimits', {
      limits: { onetime: '2', daily: '1', monthly: '1' },
      by: 'holder',
    });
    expect(given(contradicting).refusals).toMatchObject([{ code: 'card_limits_invalid' }]);
  });
});

describe('an account', () => {
  const close = command('changeState', { to: 'MANUALLY_CLOSED', by: 'holder' });

  it('is closed when nothing is left and nothing is held', () => {
    expect(given(close).refusals).toMatchObject([{ code: 'card_account_not_empty' }]);
    const { state, refusals } = given(cleared('c', 10_000, true), close);
    expect([state.state, refusals]).toEqual(['MANUALLY_CLOSED', []]);
  });

  it('still takes what was bought with it before it was closed', () => {
    const spent = [cleared('c', 10_000, true), close];
    expect(balanceAfter(...spent, cleared('late', 300, true))).toEqual([-300, 0, -300]);
    expect(balanceAfter(...spent, refunded(300))).toEqual([300, 0, 300]);
    const reopened = command('changeState', { to: 'ACTIVE', by: 'operator' });
    expect(given(...spent, reopened).refusals).toMatchObject([{ code: 'card_account_state' }]);
  });

  it('pays for a card once, and not more than it has', () => {
    const fee = (amount: string) => command('chargeFee', { transactionId: 'card/card-1', amount });
    expect(balanceAfter(fee('4000'), fee('4000'))).toEqual([6_000, 0, 6_000]);
    expect(given(authorise(7_000), fee('4000')).refusals).toMatchObject([
      { code: 'card_funds_insufficient' },
    ]);
  });

  it('sends to a prepaid card once, and not more than it has; what was sent is received whatever the account is', () => {
    const transfer = (type: 'sendTransfer' | 'receiveTransfer', units: string, rest = {}) =>
      command(type, {
        transactionId: 'prepaid/1',
        entryId: 'prepaid/1',
        cardId: null,
        transfer: {
          from: { accountId: 'account-1', cardId: null, amount: units, currency: 'TON' },
          to: { accountId: 'account-2', cardId: 'card-2', amount: '40', currency: 'EUR' },
          rate: { units, per: '40' },
        },
        ...rest,
      });
    const send = transfer('sendTransfer', '4000');
    expect(balanceAfter(send, send)).toEqual([6_000, 0, 6_000]);
    expect(given(authorise(7_000), send).refusals).toMatchObject([{ code: 'card_funds_insufficient' }]);
    const suspend = command('changeState', { to: 'SUSPENDED', by: 'operator' });
    expect(given(suspend, send).refusals).toMatchObject([{ code: 'card_account_state' }]);
    const receive = transfer('receiveTransfer', '4000');
    expect(balanceAfter(suspend, receive, receive)).toEqual([10_040, 0, 10_040]);
  });

  it('loses a top-up that a fork has taken back, whichever is seen first', () => {
    const taken = {
      transactionId: 'top-up/1',
      entryId: 'top-up/1/retracted',
      inclusion: 'top-up/1',
      cardId: null,
    };
    const chain = { account: { chain: 'ton', network: 'testnet', address: '0:2' }, hash: '1', lt: '1' };
    const reverse = command('reverseTopUp', { ...taken, chain });
    expect(balanceAfter(reverse)).toEqual([0, 0, 0]);
    const { state } = after(opened(), reverse, toppedUp(10_000));
    expect(state.balance.posted).toBe('0');
  });

  it('knows top-ups and reversals of earlier versions, which do not say the block of a transfer on Solana', () => {
    const ids = { transactionId: 'top-up/sig', cardId: null };
    const chain = { account: { chain: 'solana', network: 'devnet', address: 'a' }, hash: 'sig', lt: '1' };
    const of = (entryId: string) => command('topUp', { ...ids, chain, entryId, amount: '7' });
    const takeBack = (inclusion: string) =>
      command('reverseTopUp', { ...ids, chain, inclusion, entryId: `${inclusion}/retracted` });
    const posted = (...commands: readonly CardAccountCommand[]) => {
      const { state } = after(opened(), ...commands);
      return state.balance.posted;
    };
    expect(posted(of('sig'), of('sig/first'))).toBe('7');
    expect(posted(of('sig'), takeBack('sig/first'))).toBe('0');
    expect(posted(of('sig'), takeBack('sig/first'), of('sig/first'))).toBe('0');
    expect(posted(of('sig'), takeBack('sig/first'), of('sig/second'))).toBe('7');
    expect(posted(of('sig'), takeBack('sig'), of('sig/first'))).toBe('0');
  });

  it('drops a transaction that is archived, and knows it again from its entries', () => {
    const bought = given(cleared('c', 1_000, true)).state.transactions['purchase-1']!;
    const archive = command('archive', { changedAt: { 'purchase-1': NOON } });
    const { state } = given(cleared('c', 1_000, true), archive);
    expect(Object.keys(state.transactions)).toEqual(['top-up/1']);
    const archived = { archived: bought.entries };
    const again = cleared('c', 1_000, true, archived);
    expect(balanceAfter(cleared('c', 1_000, true), archive, again)).toEqual([9_000, 0, 9_000]);
    const late = authorised(2_500, archived);
    expect(balanceAfter(cleared('c', 1_000, true), archive, late, late)).toEqual([9_000, 0, 9_000]);
  });

  it('does not drop one that has changed since', () => {
    const archive = command('archive', { changedAt: { 'purchase-1': '2026-11-22T00:00:00.000Z' } });
    expect(given(authorised(1_000), archive).state.transactions).toHaveProperty('purchase-1');
  });

  it('with thousands of messages in a day appends no more than a store accepts, and carries its state on once it is smaller', () => {
    const [long, much] = ['x'.repeat(120), 10 ** 15];
    const said = { amounts: amountsOf(much, { units: '9'.repeat(30), per: '9'.repeat(30) }), cardId: long };
    const { decide, evolve } = cardAccountKind.decider;
    let { state } = after(opened(), toppedUp(10_000)) as { state: CardAccount | null };
    const run = (next: CardAccountCommand): number => {
      const events = decide(state, next) as readonly CardAccountEvent[];
      state = events.reduce(evolve, state);
      return JSON.stringify(events).length;
    };
    let largest = 0;
    for (let n = 0; n < 500; n++)
      for (const message of [1, 2, 3, 4, 5]) {
        const ids = { transactionId: `${long}-${n}`, entryId: `${long}-${message}` };
        largest = Math.max(largest, run(incremented(1, { ...said, ...ids })));
      }
    expect(largest).toBeLessThan(MAX_APPEND_BYTES);
    const changedAt = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${long}-${n}`, NOON]));
    run({ type: 'archive', changedAt, metadata: { now: NOON, actor: 'card-archive' } });
    expect(state!.sinceCarried).toBe(0);
  });
});
