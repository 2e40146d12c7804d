import { GASLESS_QUOTE_CATEGORY, gaslessQuoteEvents } from '../../../contracts/events/gasless-quote';
import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import { QUOTE_VALID_FOR } from './quote';

/** By which the clocks of machines that quote may differ. */
const MAX_SKEW_MS = 60_000;

/** Quotes of each network that may still be sent, used or not: the newest events of quotes say all. @param now milliseconds */
export async function liveQuotes(
  store: Pick<EventStore, 'readAll'>,
  now: number,
): Promise<Readonly<Record<TonNetwork, number>>> {
  const live = new Map(TON_NETWORKS.map(network => [network, new Set<string>()]));
  const since = now - QUOTE_VALID_FOR * 1_000 - MAX_SKEW_MS;
  const newestFirst = { categories: [GASLESS_QUOTE_CATEGORY], direction: 'backwards' } as const;
  reading: for await (const page of store.readAll(newestFirst))
    for (const recorded of page) {
      const { network, quoteKey, validUntil, at } = gaslessQuoteEvents.read(recorded).data;
      if (Date.parse(at) < since) break reading;
      if (validUntil * 1_000 > now) live.get(network)!.add(quoteKey);
    }
  return { mainnet: live.get('mainnet')!.size, testnet: live.get('testnet')!.size };
}
