import type { Logger } from 'pino';
import type {
  Mailbox,
  Message,
  MessageFilter,
  Subscriber,
  Subscription,
} from '../../contracts/ports/mailbox';
import type { EventStream, Frame, StreamSource } from '../http/event-feed';
import { frameOf, QUEUE_DONE } from './frames';

/** Of what has waited, as much is part of opening the stream. */
const BYTES_OF_ONE_STREAM = 64 * 1024;

export interface StreamOptions {
  /** Whether the client is notified when it has received what waited. */
  readonly queueDone: boolean;
  readonly logger: Logger;
  /** Called with the number of messages that are delivered. */
  readonly onDelivered: (count: number) => void;
  /** Charges the client for more of what has waited. @returns milliseconds until it may be sent more */
  readonly charge: (streams: number) => Promise<number>;
  readonly onClosed?: () => void;
}

/**
 * Delivers messages to an open stream, which has no buffer beyond one page: while the client does not read, messages stay in
 * the mailbox. One object for a stream, since there are very many.
 */
export class MessageStream implements Subscriber, StreamSource {
  readonly #subscription: Subscription;
  /** Bytes that have waited and are not charged; null once all have been sent. */
  #replayed: number | null = 0;
  #isCharging = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    mailbox: Mailbox,
    filter: MessageFilter,
    private readonly stream: EventStream,
    private readonly options: StreamOptions,
  ) {
    this.#subscription = mailbox.subscribe(filter, this);
  }

  receive(messages: readonly Message[]): boolean {
    this.options.onDelivered(messages.length);
    const frames = messages.map(frameOf);
    const hasRoom = this.stream.write(frames);
    if (this.#replayed === null) return hasRoom;
    this.#replayed += bytesOf(frames);
    if (this.#replayed < BYTES_OF_ONE_STREAM) return hasRoom;
    void this.#charge(Math.floor(this.#replayed / BYTES_OF_ONE_STREAM));
    this.#replayed %= BYTES_OF_ONE_STREAM;
    return false;
  }

  caughtUp(): void {
    this.#replayed = null;
    if (this.options.queueDone) this.stream.write([QUEUE_DONE]);
  }

  /** The client reconnects, and continues after the last message it has received. */
  ended(error?: unknown): void {
    if (error !== undefined) this.options.logger.debug({ err: error }, 'subscription of a stream failed');
    this.stream.end();
  }

  drained(): void {
    if (!this.#isCharging) this.#subscription.resume();
  }

  closed(): void {
    clearTimeout(this.#timer);
    this.#subscription.close();
    this.options.onClosed?.();
  }

  async #charge(streams: number): Promise<void> {
    this.#isCharging = true;
    const waitMs = await this.options.charge(streams);
    if (waitMs > 0) this.#timer = setTimeout(() => this.#charged(), waitMs).unref();
    else this.#charged();
  }

  #charged(): void {
    this.#isCharging = false;
    if (!this.stream.writable.writableNeedDrain) this.#subscription.resume();
  }
}

const bytesOf = (frames: readonly Frame[]): number =>
  frames.reduce((sum, { chunk }) => sum + chunk.length, 0);
