import { TOKEN_CATEGORY, tokenEvents } from '../../../contracts/events/token';
import { accountKey } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import { lastEvents } from '../../commands/last-events';
import type { VerifiedToken } from './decider';

/** The tokens of which operators say something, by network and address. */
export async function listTokenVerifications(store: Pick<EventStore, 'readAll'>): Promise<VerifiedToken[]> {
  const decisions = await lastEvents(store, TOKEN_CATEGORY, tokenEvents);
  const keyOf = ({ network, address }: VerifiedToken) => accountKey({ chain: 'ton', network, address });
  return decisions
    .map(({ data }) => data)
    .filter(({ verification }) => verification !== 'none')
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
