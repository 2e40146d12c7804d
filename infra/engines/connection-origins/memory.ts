import { LRUCache } from 'lru-cache';
import {
  CONNECTION_REMEMBERED_MS,
  MAX_CONNECTION_ORIGINS,
  type ConnectionOrigin,
  type ConnectionOrigins,
} from '../../../contracts/ports/connection-origins';

/** Clients remembered at a time: the last ones. */
const MAX_CLIENTS = 50_000;

/** The origins of the connections of one process. @param now milliseconds */
export function createMemoryOrigins(now: () => number = () => performance.now()): ConnectionOrigins {
  const clients = new LRUCache<string, readonly (ConnectionOrigin & { readonly at: number })[]>({
    max: MAX_CLIENTS,
    ttl: CONNECTION_REMEMBERED_MS,
    perf: { now },
    ttlResolution: 0,
  });
  return {
    add(added, { origin, ip }) {
      const at = now();
      for (const client of added) {
        const others = (clients.get(client) ?? []).filter(each => each.origin !== origin || each.ip !== ip);
        clients.set(client, [...others, { origin, ip, at }].slice(-MAX_CONNECTION_ORIGINS));
      }
    },
    async of(client) {
      const since = now() - CONNECTION_REMEMBERED_MS;
      return (clients.get(client) ?? [])
        .filter(({ at }) => at > since)
        .map(({ origin, ip }) => ({ origin, ip }));
    },
  };
}
