import type { CommandMetadata } from '../../../contracts/decider';
import { gaslessQuoteEvents, type GaslessQuoted } from '../../../contracts/events/gasless-quote';
import type { StreamKind } from '../../commands/stream-kind';

type Quoted = GaslessQuoted['data'];

export interface QuoteCommand {
  readonly metadata: CommandMetadata;
  readonly quote: Omit<Quoted, 'at'>;
}

/** A later quote never takes an earlier one away: while that is valid, as much may be sent as it says. */
export const gaslessQuoteKind: StreamKind<Quoted | null, QuoteCommand, GaslessQuoted> = {
  events: gaslessQuoteEvents,
  lastEventIsState: true,
  decider: {
    initial: () => null,
    evolve: (_, { data }) => data,
    decide(state, { quote, metadata: { now } }) {
      const before = isValid(state, now) ? BigInt(state!.amount) : 0n;
      const amount = before > BigInt(quote.amount) ? before : BigInt(quote.amount);
      return [{ type: 'GaslessQuoted', data: { ...quote, amount: amount.toString(), at: now } }];
    },
  },
};

/** @param now RFC 3339 instant */
export function isValid(quote: Quoted | null, now: string): boolean {
  return quote !== null && Date.parse(now) < quote.validUntil * 1_000;
}
