import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../../contracts/http/address-key';

/** Bytes that connections have sent of what is not complete: heads, trailers, and heads that came before an answer. */
export interface UnfinishedLimits {
  readonly total: number;
  /** Of one address. */
  readonly perCaller: number;
}

export const UNFINISHED_LIMITS: UnfinishedLimits = { total: 64 * 1024 * 1024, perCaller: 16 * 1024 * 1024 };

/** Of a head that has begun, beside what was sent: it may have many short fields. */
const HEAD_BYTES = 12 * 1024;
/** More or less space between the parts of a request than most clients leave. */
const MAX_SPACE = 64;

/**
 * Parts in which a body may arrive beside one for each `MIN_PART_BYTES`: each takes time of the main thread, and a few hundred bytes
 * where nobody reads it yet. Clients send larger ones.
 */
export const MAX_SMALL_PARTS = 64;
export const MIN_PART_BYTES = 256;

interface Connection {
  readonly caller: string;
  /** Bytes of complete heads and of parts of bodies, which are bounded elsewhere. */
  complete: number;
  /** Of the body that arrives. */
  parts: number;
  partBytes: number;
  /** Ends it, since it is over the limits. */
  readonly refuse: () => void;
}

const connections = new WeakMap<Socket, Connection>();

/** Of the head of a request, as most clients write it. */
function headBytes({ method, url, rawHeaders }: IncomingMessage): number {
  let bytes = `${method} ${url} HTTP/1.1\r\n\r\n`.length;
  for (let at = 0; at < rawHeaders.length; at += 2)
    bytes += rawHeaders[at]!.length + rawHeaders[at + 1]!.length + ': \r\n'.length;
  return bytes;
}

/** The head of a request is complete. @returns its bytes */
export function countHead(request: IncomingMessage): number {
  const bytes = headBytes(request);
  const connection = connections.get(request.socket);
  if (connection) connection.complete += bytes;
  return bytes;
}

/**
 * A part of a body has arrived; null once the whole request has, its trailers too.
 * @returns false for a part that is of no use any more: so many and small ones have ended the connection
 */
export function countPart({ socket }: IncomingMessage, part: { readonly length: number } | null): boolean {
  const connection = connections.get(socket);
  if (!connection) return part === null || !socket.destroyed;
  if (!part) {
    connection.parts = connection.partBytes = 0;
    if (socket.bytesRead - connection.complete <= MAX_SPACE) connection.complete = socket.bytesRead;
    return true;
  }
  connection.complete += part.length;
  connection.parts += 1;
  connection.partBytes += part.length;
  if (connection.parts <= MAX_SMALL_PARTS + connection.partBytes / MIN_PART_BYTES) return true;
  stopParsing(socket);
  connection.refuse();
  return false;
}

/** That of Node, which it uses for one connection after the other. By a number: what gets the parts of a body. */
interface Parser {
  onIncoming(request: { upgrade: boolean }): number;
  [on: number]: unknown;
}
const ON_BODY = 3;

/**
 * Of a connection that is being closed, has the rest of what has arrived left alone, up to 64 KiB: Node would go on to make requests and
 * parts of bodies of it, thousands that take as long as hundreds of usual requests.
 */
export function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: Parser | null };
  if (!parser) return;
  // The parser stops as at a change of the protocol. It is none: Node would use the parser for another connection at once.
  parser.onIncoming = request => {
    request.upgrade = false;
    return 2;
  };
  const onBody = parser[ON_BODY];
  parser[ON_BODY] = undefined;
  // Before Node takes it back.
  socket.prependOnceListener('close', () => (parser[ON_BODY] = onBody));
}

/** It is no longer one of HTTP. */
export function stopCounting(socket: Socket): void {
  connections.delete(socket);
}

function bytesOf(socket: Socket): number {
  const connection = connections.get(socket);
  const sent = connection ? socket.bytesRead - connection.complete : 0;
  return sent > 0 ? sent + HEAD_BYTES : 0;
}

/**
 * Bounds what waits for its end, of all connections together, however many there are: those that have sent most are closed.
 * Node tells nobody how much of a head it has, so that it is looked at from time to time.
 * @param onClosed called for each connection that is closed
 */
export function createUnfinished({ total, perCaller }: UnfinishedLimits, onClosed: () => void) {
  const open = new Set<Socket>();

  /** By caller, the connections with bytes; the caller with most comes first, and so does its largest. */
  function look(): { readonly bytes: number; readonly sockets: readonly Socket[] }[] {
    const found = new Map<string, { bytes: number; sockets: Socket[] }>();
    for (const socket of open) {
      const bytes = bytesOf(socket);
      if (bytes === 0) continue;
      const { caller } = connections.get(socket)!;
      const counted = found.get(caller) ?? { bytes: 0, sockets: [] };
      counted.bytes += bytes;
      counted.sockets.push(socket);
      found.set(caller, counted);
    }
    for (const { sockets } of found.values()) sockets.sort((a, b) => bytesOf(b) - bytesOf(a));
    return [...found.values()].sort((a, b) => b.bytes - a.bytes);
  }

  return {
    /** The connection is open, or begins again. */
    add(socket: Socket): void {
      if (open.has(socket)) return;
      open.add(socket);
      const refuse = (): void => {
        stopCounting(socket);
        onClosed();
        socket.destroy();
      };
      const caller = addressKey(socket.remoteAddress ?? '');
      connections.set(socket, { caller, complete: 0, parts: 0, partBytes: 0, refuse });
      socket.once('close', () => open.delete(socket));
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
          connections.get(socket)!.refuse();
        }
      }
    },
  };
}
