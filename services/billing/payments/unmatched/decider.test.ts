import { isRefusal } from '../../../../contracts/decider';
import type { UnmatchedPayment, UnmatchedPaymentEvent } from '../../../../contracts/events/unmatched-payment';
import { UNMATCHED_PAYMENT_SAMPLES } from '../../../../test/events/samples/unmatched-payment';
import { unmatchedPaymentDecider, MAX_UNMATCHED_PAYMENTS } from './decider';

const metadata = { now: '2026-11-20T12:00:00.000Z', actor: 'fee-payments' };
const payment = UNMATCHED_PAYMENT_SAMPLES['UnmatchedPaymentRecorded']![0]!.data as UnmatchedPayment;
const recorded = (data: UnmatchedPayment = payment): UnmatchedPaymentEvent => ({
  type: 'UnmatchedPaymentRecorded',
  data,
});
const given = (...events: UnmatchedPaymentEvent[]) => ({
  whenRecording: (next: UnmatchedPayment) =>
    unmatchedPaymentDecider.decide(
      events.reduce(unmatchedPaymentDecider.evolve, unmatchedPaymentDecider.initial()),
      {
        type: 'record',
        payment: next,
        metadata,
      },
    ),
});

it('a payment is recorded', () => expect(given().whenRecording(payment)).toEqual([recorded()]));

it('a repeated payment is recorded once', () => expect(given(recorded()).whenRecording(payment)).toEqual([]));

it.each([{ transaction: 'another' }, { asset: 'another' }, { account: 'ton:testnet:0:00' }])(
  'one that differs in %j is another payment',
  differing => {
    const other = { ...payment, ...differing };
    expect(given(recorded()).whenRecording(other)).toEqual([recorded(other)]);
  },
);

it('the payments recorded for one memo are bounded', () => {
  const many = Array.from({ length: MAX_UNMATCHED_PAYMENTS }, (_, n) =>
    recorded({ ...payment, transaction: `${n}` }),
  );
  expect(isRefusal(given(...many).whenRecording(payment))).toBe(true);
  expect(given(...many).whenRecording(many[0]!.data)).toEqual([]);
});
