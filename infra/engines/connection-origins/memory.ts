import { LRUCache } from 'lru-cache';
import { shareOf } from '../../../contracts/bound';
import { atMost } from '../../../contracts/engine/cache-bounds';
import {
  CONNECTION_REMEMBERED_MS,
  MAX_ADDRESSES,
  MAX_ORIGINS,
  type ConnectionOrigin,
  type ConnectionOrigins,
} from '../../../contracts/ports/connection-origins';
import { addressKey } from '../../../contracts/http/address-key';
import { createOpenStreams } from './open-streams';

/** Clients remembered at a time: the last ones. */
export const MAX_CLIENTS = 50_000;

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
  /** The network that has named it first. */
  readonly source: string;
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
  /** The clients that each source has named first, in the order of their last use. */
  const named = new Map<string, Set<string>>();
  const clients = new LRUCache<string, Client>({
    ...atMost(maxClients),
    dispose: ({ source }, id, reason) => {
      if (reason === 'set') return;
      const ids = named.get(source)!;
      ids.delete(id);
      if (ids.size === 0) named.delete(source);
      if (reason === 'evict') forgottenAt = clock();
    },
  });
  /** Of too many clients of one source its own make room, not those of others. */
  const remember = (id: string, client: Client): void => {
    const { source } = client;
    const ids = named.get(source) ?? new Set();
    named.set(source, ids);
    ids.delete(id);
    ids.add(id);
    clients.set(id, client);
    const [first] = ids;
    if (ids.size > shareOf(maxClients)) clients.delete(first!);
  };
  const known = (id: string, asking = ''): Client => {
    const now = clock();
    const { used, mayBeMoreUntil, source } = clients.get(id) ?? {
      used: [],
      source: asking,
      mayBeMoreUntil: forgottenAt + CONNECTION_REMEMBERED_MS,
    };
    const inUse = used.filter(({ usedAt }) => usedAt + CONNECTION_REMEMBERED_MS > now);
    return { used: inUse, mayBeMoreUntil, source };
  };
  const store = (ids: readonly string[], { origin: given, ip }: ConnectionOrigin): undefined => {
    const usedAt = clock();
    const source = addressKey(ip);
    for (const id of ids) {
      const client = known(id, source);
      const { used } = client;
      // One text for all addresses of a page, as that of each stream is one of its own.
      const origin = used.find(each => each.origin === given)?.origin ?? given;
      const at = used.findIndex(each => each.origin === origin && each.ip === ip);
      if (at >= 0) remember(id, { ...client, used: used.with(at, { origin, ip, usedAt }) });
      else if (hasRoom(used, origin)) remember(id, { ...client, used: [...used, { origin, ip, usedAt }] });
      else if (!used.some(each => each.origin === origin))
        remember(id, { ...client, mayBeMoreUntil: usedAt + CONNECTION_REMEMBERED_MS });
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
