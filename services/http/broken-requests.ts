import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface ClientError extends NodeJS.ErrnoException {
  /** What the parser was given when it failed. */
  readonly rawPacket?: Buffer;
}

/** By the codes of Node; any other broken request is a 400. */
const STATUS_LINES: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Content Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

/** What overflows without an end of a line is taken for path and query: no client sends as long a header. */
const statusLineOf = ({ code = '', rawPacket }: ClientError): string =>
  code === 'HPE_HEADER_OVERFLOW' && rawPacket?.includes('\n') === false
    ? '414 URI Too Long'
    : (STATUS_LINES.get(code) ?? '400 Bad Request');

/** In which what a client still sends is read: it does not see the answer of a connection that is reset. */
const LINGER_MS = 1_000;

/** As Node does where nobody listens: nothing is written into an answer that has begun. */
function refuse(error: ClientError, socket: Socket): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || answer?.headersSent === true) return void socket.destroy(error);
  // That a request is wrong is no secret, and a page has to see it.
  socket.end(
    `HTTP/1.1 ${statusLineOf(error)}\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Answers what is no request, or not one in time, and closes its connection.
 * @param onBroken called for each connection that is closed because of what its client sent
 */
export function refuseBroken(server: Server, onBroken?: () => void): void {
  const failed = new WeakSet<Socket>();
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // Again for each further part of what is sent.
    if (failed.has(socket)) return;
    failed.add(socket);
    if (STATUS_LINES.has(error.code ?? '') || error.code?.startsWith('HPE_')) onBroken?.();
    refuse(error, socket);
  });
}
