import { isRefusal } from '../../../../contracts/decider';
import type { EarlyPayment, EarlyPaymentEvent } from '../../../../contracts/events/early-payment';
import { EARLY_PAYMENT_SAMPLES } from '../../../../test/events/samples/early-payment';
import { earlyPaymentDecider, MOST_EARLY_PAYMENTS } from './decider';

const metadata = { now: '2026-11-20T12:00:00.000Z', actor: 'fee-payments' };
const payment = EARLY_PAYMENT_SAMPLES['EarlyPaymentNoted']![0]!.data as EarlyPayment;
const noted = (data: EarlyPayment = payment): EarlyPaymentEvent => ({ type: 'EarlyPaymentNoted', data });
const given = (...events: EarlyPaymentEvent[]) => ({
  whenNoting: (told: EarlyPayment) =>
    earlyPaymentDecider.decide(events.reduce(earlyPaymentDecider.evolve, earlyPaymentDecider.initial()), {
      type: 'note',
      payment: told,
      metadata,
    }),
});

it('a payment is noted', () => expect(given().whenNoting(payment)).toEqual([noted()]));

it('a payment that is told of again is noted once', () =>
  expect(given(noted()).whenNoting(payment)).toEqual([]));

it.each([{ transaction: 'another' }, { asset: 'another' }, { account: 'ton:testnet:0:00' }])(
  'one that differs in %j is another payment',
  differing => {
    const other = { ...payment, ...differing };
    expect(given(noted()).whenNoting(other)).toEqual([noted(other)]);
  },
);

it('no more are noted for one fee than are read at once, whoever sends them', () => {
  const many = Array.from({ length: MOST_EARLY_PAYMENTS }, (_, n) =>
    noted({ ...payment, transaction: `${n}` }),
  );
  expect(isRefusal(given(...many).whenNoting(payment))).toBe(true);
  expect(given(...many).whenNoting(many[0]!.data)).toEqual([]);
});
