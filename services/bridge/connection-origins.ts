import { LRUCache } from 'lru-cache';

/** Where a client has connected from. */
export interface ConnectionOrigin {
  /** Of the page, such as `https://app.example`. */
  readonly origin: string;
  readonly ip: string;
}

/**
 * - `ok`: the client has connected from this origin and address
 * - `warning`: from this origin, and another address
 * - `danger`: from other origins
 * - `unknown`: not, within the time
 */
export type OriginStatus = 'ok' | 'warning' | 'danger' | 'unknown';

export interface ConnectionOrigins {
  add(client: string, from: ConnectionOrigin): void;
  statusOf(client: string, from: ConnectionOrigin): OriginStatus;
}

const REMEMBERED_MS = 300_000;
const MAX_CLIENTS = 100_000;
/** Of one client: it reconnects from the same ones. */
const MAX_ORIGINS = 8;

/** Remembers for five minutes where clients have connected from, those that connected last when there are very many. */
export function createConnectionOrigins(now?: () => number): ConnectionOrigins {
  const clients = new LRUCache<string, readonly ConnectionOrigin[]>({
    max: MAX_CLIENTS,
    ttl: REMEMBERED_MS,
    ...(now && { perf: { now }, ttlResolution: 0 }),
  });
  return {
    add(client, from) {
      const others = (clients.get(client) ?? []).filter(
        ({ origin, ip }) => origin !== from.origin || ip !== from.ip,
      );
      clients.set(client, [...others, from].slice(-MAX_ORIGINS));
    },
    statusOf(client, { origin, ip }) {
      const known = clients.get(client);
      if (!known) return 'unknown';
      const sameOrigin = known.filter(each => each.origin === origin);
      if (sameOrigin.length === 0) return 'danger';
      return sameOrigin.some(each => each.ip === ip) ? 'ok' : 'warning';
    },
  };
}
