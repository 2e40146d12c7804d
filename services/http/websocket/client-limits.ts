import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { POLICY_VIOLATION } from './close-codes';

/**
 * Fragments of a message, and parts in which a frame arrives. Each waits in memory, at the cost of a small piece even where it has one
 * byte. Messages of clients are short: they send them whole.
 */
export const MAX_FRAGMENTS = 8;
export const MAX_PARTS = 16;
/**
 * Messages, pings and pongs of a client in `FRAMES_MS`: each takes time of the main thread, which no turns share out. Clients send one
 * in seconds.
 */
export const MAX_FRAMES = 64;
export const FRAMES_MS = 10_000;
/** Bytes of what a client sends that wait or are dropped together. */
const PIECE_BYTES = 1024;

/**
 * What `ws` keeps of a message that is not complete refers to the memory of all that arrived with it, which may be 64 KiB for a byte:
 * it gets copies in pieces.
 */
export function receiveInPieces(client: Pick<WebSocket, 'on'>, socket: Duplex): void {
  const [receive] = socket.listeners('data') as ((piece: Buffer) => void)[];
  const receivePieces = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length && !socket.destroyed; at += PIECE_BYTES)
      receive!.call(socket, Buffer.from(new Uint8Array(chunk.subarray(at, at + PIECE_BYTES)).buffer));
  };
  socket.off('data', receive!).on('data', receivePieces);
  // `ws` stops to receive by taking away the listener that it has added.
  client.on('error', () => socket.off('data', receivePieces));
}

const FRAMES = ['message', 'ping', 'pong'] as const;

/** Terminates a client that sends too many. They count also while the connection is closed: `ws` goes on to read them. */
export function limitFrames(client: WebSocket, onTooMany: () => void): void {
  let frames = 0;
  let since = performance.now();
  const count = (): void => {
    frames += 1;
    if (frames <= MAX_FRAMES) return;
    const now = performance.now();
    if (now - since > FRAMES_MS) return void ([frames, since] = [1, now]);
    for (const event of FRAMES) client.off(event, count);
    onTooMany();
    client.close(POLICY_VIOLATION, 'too many messages');
    client.terminate();
  };
  for (const event of FRAMES) client.on(event, count);
}
