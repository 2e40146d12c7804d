import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import type { Reply } from './call';
import { callerAddress } from './caller-address';
import type { ConnectionObserver } from './connections';
import { addressKey } from '../../contracts/http/address-key';
import { releaseRequest } from './release-request';
import { headWith } from './send';
import type { Backlog, UnsentBytes } from './unsent';

/** The head of an event stream (WHATWG HTML, section 9.2), names and values in turn. */
const EVENT_STREAM_HEAD = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'private, no-cache, no-transform'],
  // Proxies based on nginx buffer otherwise.
  ['X-Accel-Buffering', 'no'],
].flat();

/** What writes to an open stream. */
export interface StreamSource {
  /** After a `write` that returned false. */
  drained(): void;
  /** The client has disconnected, or the stream was ended. */
  closed(): void;
}

/**
 * An event stream whose source pushes frames of its own format, for tens of thousands of streams that wait: nothing is
 * allocated for one but a few objects. Kind `sse` sends it when a handler returns it.
 */
export class EventFeed {
  constructor(
    /** Called when the head is written. */
    readonly open: (stream: EventStream) => StreamSource,
    /** Written in intervals. */
    readonly heartbeat: Frame,
    /** As how many streams it counts. */
    readonly weight = 1,
  ) {}
}

/** Complete events, encoded once for all streams that they are sent to. */
export class Frame {
  /** As a chunk (RFC 9112, section 7.1), so that it is one write to the connection; Node would make three of it. */
  readonly chunk: Buffer;
  readonly #end: number;
  readonly #start: number;

  constructor(text: string) {
    const length = Buffer.byteLength(text);
    const size = length.toString(16);
    this.chunk = Buffer.from(`${size}\r\n${text}\r\n`);
    this.#start = size.length + 2;
    this.#end = this.#start + length;
  }

  get bytes(): Buffer {
    return this.chunk.subarray(this.#start, this.#end);
  }
}

/** An open stream. */
export class EventStream {
  /** Where chunks are written to; null where the response has no connection of its own yet, or no chunks. */
  readonly #socket: Socket | null;
  /** Of the first time that the client does not read. */
  #backlog: Backlog | undefined;

  constructor(
    private readonly response: Response,
    private readonly observer: ConnectionObserver | undefined,
    readonly heartbeat: Frame,
    /** Whose turn it is when. */
    readonly slot: number,
    private readonly unsent: UnsentBytes,
  ) {
    this.#socket = response.chunkedEncoding ? response.socket : null;
  }

  /** Emits `drain`. */
  get writable(): Writable {
    return this.#socket ?? this.response;
  }

  /** @returns false when no more should be written until the stream has drained */
  write(frames: readonly Frame[]): boolean {
    this.observer?.sent();
    return this.#write(frames);
  }

  beat(): void {
    if (!this.writable.writableNeedDrain) this.#write([this.heartbeat]);
  }

  end(): void {
    this.response.end();
  }

  /** Has drained, or is closed. */
  drained(): void {
    this.#backlog?.update(0);
  }

  #write(frames: readonly Frame[]): boolean {
    const { response } = this;
    if (response.writableEnded) return false;
    const socket = this.#socket;
    if (!socket) {
      for (const { bytes } of frames) response.write(bytes);
      return !response.writableNeedDrain;
    }
    if (frames.length > 1) socket.cork();
    for (const { chunk } of frames) socket.write(chunk);
    if (frames.length > 1) socket.uncork();
    if (!socket.writableNeedDrain) return true;
    this.#backlog ??= this.unsent.of(addressKey(callerAddress(response.req)), () => void response.destroy());
    this.#backlog.update(socket.writableLength);
    return false;
  }
}

const SLOTS = 100;
const END_INTERVAL_MS = 20;
/** Makes the client see the stream open at once. */
const FIRST_BYTE = '\n';

/**
 * The open feeds of an app. One timer for the heartbeats of all: streams are in slots, one of which has its turn at a time, so
 * that a heartbeat of very many does not delay everything else.
 * @param stopping ends them, slot by slot: clients reconnect as soon as they are cut off, and another process must not get all
 * of them at one moment
 */
export function createFeeds(heartbeatMs: number, unsent: UnsentBytes, stopping?: AbortSignal) {
  const slots = Array.from({ length: SLOTS }, () => new Set<EventStream>());
  let count = 0;
  let opened = 0;
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  const currentTurn = (): number => Math.floor((performance.now() * SLOTS) / heartbeatMs);
  /** Late ticks of the timer do not add up: every slot whose time has come has its turn. */
  const beat = (): void => {
    const due = currentTurn();
    for (turn = Math.max(turn, due - SLOTS); turn < due; turn += 1)
      for (const stream of slots[turn % SLOTS]!) stream.beat();
  };
  const add = (stream: EventStream): void => {
    slots[stream.slot]!.add(stream);
    count += 1;
    if (timer) return;
    turn = currentTurn();
    timer = setInterval(beat, heartbeatMs / SLOTS);
  };
  const remove = (stream: EventStream): void => {
    slots[stream.slot]!.delete(stream);
    count -= 1;
    if (count > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const endAll = async (): Promise<void> => {
    for (const slot of slots) {
      if (slot.size === 0) continue;
      for (const stream of slot) stream.end();
      await sleep(END_INTERVAL_MS);
    }
  };
  stopping?.addEventListener('abort', () => void endAll(), { once: true });

  return {
    /** Sends the head, and opens the feed. */
    open(response: Response, reply: Reply<EventFeed>, observer: ConnectionObserver | undefined): void {
      const { body: feed, status = 200 } = reply;
      response.writeHead(status, [...headWith(response, reply), ...EVENT_STREAM_HEAD]);
      response.write(FIRST_BYTE);
      if (stopping?.aborted || response.req.method === 'HEAD') return void response.end();
      releaseRequest(response.req);
      opened = (opened + 1) % SLOTS;
      const stream = new EventStream(response, observer, feed.heartbeat, opened, unsent);
      const source = feed.open(stream);
      add(stream);
      observer?.opened();
      const { writable } = stream;
      const drained = (): void => {
        stream.drained();
        source.drained();
      };
      writable.on('drain', drained);
      response.once('close', () => {
        remove(stream);
        stream.drained();
        writable.off('drain', drained);
        observer?.closed();
        source.closed();
      });
    },
  };
}

export type Feeds = ReturnType<typeof createFeeds>;
