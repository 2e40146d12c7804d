import { LRUCache } from 'lru-cache';
import { atMost } from '../../../contracts/engine/cache-bounds';
import {
  CONNECTION_REMEMBERED_MS,
  MAX_ADDRESSES,
  MAX_ORIGINS,
  type ConnectionOrigin,
  type ConnectionOrigins,
} from '../../../contracts/ports/connection-origins';
import { createOpenStreams } from './open-streams';

/** Clients remembered at a time: the last ones. */
const MAX_CLIENTS = 50_000;

interface MemoryOriginsOptions {
  /** Milliseconds. */
  readonly clock?: () => number;
  readonly refreshMs?: number;
  readonly maxClients?: number;
}

interface Used extends ConnectionOrigin {
  readonly usedAt: number;
}

interface Client {
  /** In the order of their first use. */
  readonly used: readonly Used[];
  /** Until when there may have been others. */
  readonly mayBeMoreUntil: number;
}

/** The origins of the connections of one process. */
export function createMemoryOrigins({
  clock = () => performance.now(),
  refreshMs,
  maxClients = MAX_CLIENTS,
}: MemoryOriginsOptions = {}): ConnectionOrigins {
  /** When the last client that might still be asked for had to make room. */
  let forgottenAt = -Infinity;
  const clients = new LRUCache<string, Client>({
    ...atMost(maxClients),
    dispose: (_client, _id, reason) => {
      if (reason === 'evict') forgottenAt = clock();
    },
  });
  const known = (id: string): Client => {
    const now = clock();
    const { used, mayBeMoreUntil } = clients.get(id) ?? {
      used: [],
      mayBeMoreUntil: forgottenAt + CONNECTION_REMEMBERED_MS,
    };
    return { used: used.filter(({ usedAt }) => usedAt + CONNECTION_REMEMBERED_MS > now), mayBeMoreUntil };
  };
  const store = (ids: readonly string[], { origin, ip }: ConnectionOrigin): undefined => {
    const usedAt = clock();
    for (const id of ids) {
      const { used, mayBeMoreUntil } = known(id);
      const at = used.findIndex(each => each.origin === origin && each.ip === ip);
      if (at >= 0) clients.set(id, { used: used.with(at, { origin, ip, usedAt }), mayBeMoreUntil });
      else if (hasRoom(used, origin))
        clients.set(id, { used: [...used, { origin, ip, usedAt }], mayBeMoreUntil });
      else if (!used.some(each => each.origin === origin))
        clients.set(id, { used, mayBeMoreUntil: usedAt + CONNECTION_REMEMBERED_MS });
    }
  };
  const { opened, close } = createOpenStreams(store, refreshMs);
  return {
    opened,
    async of(id) {
      const { used, mayBeMoreUntil } = known(id);
      return { origins: used.map(({ origin, ip }) => ({ origin, ip })), mayBeMore: mayBeMoreUntil > clock() };
    },
    close: async () => close(),
  };
}

function hasRoom(used: readonly Used[], origin: string): boolean {
  const addresses = used.filter(each => each.origin === origin).length;
  return addresses > 0
    ? addresses < MAX_ADDRESSES
    : new Set(used.map(each => each.origin)).size < MAX_ORIGINS;
}
