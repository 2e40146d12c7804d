import { LRUCache } from 'lru-cache';
import { shareOf } from '../../../contracts/bound';
import { atMost } from '../../../contracts/engine/cache-bounds';
import {
  CONNECTION_REMEMBERED_MS,
  type ConnectionOrigin,
  type ConnectionOrigins,
} from '../../../contracts/ports/connection-origins';
import { NamedClients } from './named-clients';
import { createOpenStreams } from './open-streams';
import { placesAfter, type Used } from './places';

/** Clients remembered at a time. */
export const MAX_CLIENTS = 50_000;

interface MemoryOriginsOptions {
  /** Milliseconds. */
  readonly clock?: () => number;
  readonly refreshMs?: number;
  readonly maxClients?: number;
}

interface Client {
  /** The network of the first page. */
  readonly network: string;
  readonly used: readonly Used[];
  readonly usedAt: number;
  /** Until when there may have been others. */
  readonly mayBeMoreUntil: number;
}

/** The origins of the connections of one process. */
export function createMemoryOrigins({
  clock = () => performance.now(),
  refreshMs,
  maxClients = MAX_CLIENTS,
}: MemoryOriginsOptions = {}): ConnectionOrigins {
  /** When the only client of a network, which might still be asked for, had to make room. */
  let forgottenAt = -Infinity;
  const named = new NamedClients();
  const clients = new LRUCache<string, Client>({
    ...atMost(maxClients),
    dispose: ({ network }, id, reason) => {
      if (reason !== 'set') named.remove(network, id);
      if (reason === 'evict') forgottenAt = clock();
    },
  });
  /** Of too many clients those of the network with most make room, not those of others. */
  const makeRoom = (asking: string): void => {
    for (const id of clients.rkeys()) {
      if (clients.peek(id)!.usedAt + CONNECTION_REMEMBERED_MS > clock()) break;
      clients.delete(id);
    }
    const network = named.heaviest(asking);
    if (clients.size >= maxClients && named.countOf(network) > 1) clients.delete(named.leastRecent(network));
  };
  const remember = (id: string, client: Client): void => {
    const { network } = client;
    const before = clients.peek(id);
    if (before && before.network !== network) named.remove(before.network, id);
    named.used(network, id);
    if (named.countOf(network) > shareOf(maxClients)) clients.delete(named.leastRecent(network));
    if (!before && clients.size >= maxClients) makeRoom(network);
    clients.set(id, client);
  };
  const known = (id: string): Pick<Client, 'used' | 'mayBeMoreUntil'> => {
    const now = clock();
    const { used, mayBeMoreUntil } = clients.peek(id) ?? {
      used: [],
      mayBeMoreUntil: forgottenAt + CONNECTION_REMEMBERED_MS,
    };
    return { used: used.filter(({ usedAt }) => usedAt + CONNECTION_REMEMBERED_MS > now), mayBeMoreUntil };
  };
  const store = (ids: readonly string[], from: ConnectionOrigin): undefined => {
    const usedAt = clock();
    for (const id of ids) {
      const before = known(id);
      const after = placesAfter(before.used, { ...from, usedAt });
      const used = after ?? before.used;
      const mayBeMoreUntil = after ? before.mayBeMoreUntil : usedAt + CONNECTION_REMEMBERED_MS;
      remember(id, { network: used[0]!.network, used, usedAt, mayBeMoreUntil });
    }
  };
  const { opened, close } = createOpenStreams(store, refreshMs);
  return {
    opened,
    async of(id) {
      const { used, mayBeMoreUntil } = known(id);
      return {
        origins: used.map(({ origin, network }) => ({ origin, network })),
        mayBeMore: mayBeMoreUntil > clock(),
      };
    },
    close: async () => close(),
  };
}
