import type { Socket } from 'node:net';
import { addressKey } from '../../contracts/http/address-key';

/** Bytes of requests whose head is not complete, which wait in memory. */
export interface UnfinishedLimits {
  readonly total: number;
  /** Of one address. */
  readonly perCaller: number;
}

export const UNFINISHED_LIMITS: UnfinishedLimits = { total: 64 * 1024 * 1024, perCaller: 16 * 1024 * 1024 };

/** What is known of a connection between two requests. */
interface Waiting {
  readonly caller: string;
  /** Bytes that it had read when the last request was answered. */
  readonly before: number;
}

/**
 * Bounds what waits for the end of heads, of all connections together, however many there are: those that have sent most are closed.
 * Node tells nobody how much of a head it has, so that it is looked at from time to time.
 * @param onClosed called for each connection that is closed
 */
export function createUnfinished({ total, perCaller }: UnfinishedLimits, onClosed: () => void) {
  const waiting = new Map<Socket, Waiting>();
  const callers = new WeakMap<Socket, string>();

  const bytesOf = (socket: Socket): number => socket.bytesRead - waiting.get(socket)!.before;

  /** By caller, the connections with bytes; the caller with most comes first, and so does its largest. */
  function look(): { readonly bytes: number; readonly sockets: readonly Socket[] }[] {
    const found = new Map<string, { bytes: number; sockets: Socket[] }>();
    for (const [socket, { caller }] of waiting) {
      const bytes = bytesOf(socket);
      if (bytes <= 0) continue;
      const counted = found.get(caller) ?? { bytes: 0, sockets: [] };
      counted.bytes += bytes;
      counted.sockets.push(socket);
      found.set(caller, counted);
    }
    for (const { sockets } of found.values()) sockets.sort((a, b) => bytesOf(b) - bytesOf(a));
    return [...found.values()].sort((a, b) => b.bytes - a.bytes);
  }

  return {
    /** The connection is open, or its last request is answered. */
    wait(socket: Socket): void {
      if (socket.destroyed) return;
      const caller = callers.get(socket) ?? addressKey(socket.remoteAddress ?? '');
      if (!callers.has(socket)) socket.once('close', () => waiting.delete(socket));
      callers.set(socket, caller);
      waiting.set(socket, { caller, before: socket.bytesRead });
    },
    /** A head is complete. */
    end(socket: Socket): void {
      waiting.delete(socket);
    },
    /** Closes what is over the limits. */
    check(): void {
      const found = look();
      let all = found.reduce((sum, { bytes }) => sum + bytes, 0);
      for (const caller of found) {
        let { bytes } = caller;
        for (const socket of caller.sockets) {
          if (bytes <= perCaller && all <= total) break;
          const freed = bytesOf(socket);
          [bytes, all] = [bytes - freed, all - freed];
          waiting.delete(socket);
          onClosed();
          socket.destroy();
        }
      }
    },
  };
}
