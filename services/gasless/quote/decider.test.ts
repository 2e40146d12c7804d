import type { GaslessQuoted } from '../../../contracts/events/gasless-quote';
import { gaslessQuoteKind, isValid, type QuoteCommand } from './decider';

const { initial, evolve, decide } = gaslessQuoteKind.decider;
const SECOND = 1_795_000_000;
const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const quoted = (amount: string, seconds: number, loss = '1'): QuoteCommand => ({
  quote: {
    network: 'testnet',
    quoteKey: 'key',
    wallet: '0:1',
    master: '0:2',
    relay: '0:3',
    seqno: 0,
    validUntil: seconds + 240,
    amount,
    commission: '5',
    attached: '1',
    loss,
    rate: { units: '3', nanotons: '1', at: at(seconds) },
  },
  metadata: { now: at(seconds), actor: 'gasless' },
});
const after = (...commands: readonly QuoteCommand[]) =>
  commands.reduce(
    (state, command) => (decide(state, command) as readonly GaslessQuoted[]).reduce(evolve, state),
    initial(),
  );

it('a quote is valid until its last second, and not in it', () => {
  const quote = after(quoted('5', SECOND));
  expect(isValid(quote, at(SECOND + 239.999))).toBe(true);
  expect(isValid(quote, at(SECOND + 240))).toBe(false);
  expect(isValid(null, at(SECOND))).toBe(false);
});

it('as much may be sent as the largest valid quote says, at the costs of the newest', () => {
  expect(after(quoted('5', SECOND), quoted('3', SECOND + 239, '2'))).toMatchObject({
    amount: '5',
    loss: '2',
  });
  expect(after(quoted('5', SECOND), quoted('7', SECOND + 239))).toMatchObject({ amount: '7' });
  expect(after(quoted('5', SECOND), quoted('3', SECOND + 240))).toMatchObject({ amount: '3' });
});
