import type { Socket } from 'node:net';
import { addressKey } from '../../contracts/http/address-key';
import { createShares } from './shares';

/** Connections of all kinds that a server may have at a time; 0 is no limit. */
export interface OpenConnectionLimits {
  readonly total: number;
  /** Of one address. Behind a proxy all connections are of its address: it has to limit those of its clients itself. */
  readonly perCaller: number;
}

/**
 * Counts connections by the address at their other end, and closes those beyond the limits: that of a caller who has its share, or,
 * once all are taken, the newest of who has most.
 * @param onRefused called for each that is closed
 * @returns what to call for each new connection: whether it stays open
 */
export function createOpenConnections(
  { total, perCaller }: OpenConnectionLimits,
  onRefused: () => void,
): (socket: Socket) => boolean {
  const shares = createShares(total, perCaller);
  const counted = new WeakSet<Socket>();
  const refuse = (socket: Socket): false => {
    onRefused();
    socket.destroy();
    return false;
  };
  return socket => {
    // A connection begins again after a request to upgrade it was ignored.
    if (counted.has(socket)) return true;
    counted.add(socket);
    const place = shares.take(addressKey(socket.remoteAddress ?? ''), () => refuse(socket));
    if (typeof place === 'string') return refuse(socket);
    socket.on('close', place);
    return true;
  };
}
