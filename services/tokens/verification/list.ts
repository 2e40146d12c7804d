import { TOKEN_CATEGORY, tokenEvents } from '../../../contracts/events/token';
import { accountKey } from '../../../contracts/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { VerifiedToken } from './decider';

/** The tokens of which operators say something, by network and address. From the events, so that it works while no projection runs. */
export async function listTokenVerifications(store: Pick<EventStore, 'readAll'>): Promise<VerifiedToken[]> {
  const tokens = new Map<string, VerifiedToken>();
  for await (const page of store.readAll({ categories: [TOKEN_CATEGORY] }))
    for (const recorded of page) {
      const { data } = tokenEvents.read(recorded);
      tokens.set(accountKey({ chain: 'ton', network: data.network, address: data.address }), data);
    }
  return [...tokens.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, token]) => token)
    .filter(({ verification }) => verification !== 'none');
}
