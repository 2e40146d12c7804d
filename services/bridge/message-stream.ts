import type { Logger } from 'pino';
import type {
  Mailbox,
  Message,
  MessageFilter,
  Subscriber,
  Subscription,
} from '../../contracts/ports/mailbox';
import type { EventStream, StreamSource } from '../http/event-feed';
import { frameOf, QUEUE_DONE } from './frames';

export interface StreamOptions {
  /** Whether the client is notified when it has received what waited. */
  readonly queueDone: boolean;
  readonly logger: Logger;
  /** Called with the number of messages that are delivered. */
  readonly onDelivered: (count: number) => void;
  readonly onClosed?: () => void;
}

/**
 * Delivers messages to an open stream, which has no buffer beyond one page: while the client does not read, messages stay in
 * the mailbox. One object for a stream, since there are very many.
 */
export class MessageStream implements Subscriber, StreamSource {
  readonly #subscription: Subscription;

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
    return this.stream.write(messages.map(frameOf));
  }

  caughtUp(): void {
    if (this.options.queueDone) this.stream.write([QUEUE_DONE]);
  }

  /** The client reconnects, and continues after the last message it has received. */
  ended(error?: unknown): void {
    if (error !== undefined) this.options.logger.debug({ err: error }, 'subscription of a stream failed');
    this.stream.end();
  }

  drained(): void {
    this.#subscription.resume();
  }

  closed(): void {
    this.#subscription.close();
    this.options.onClosed?.();
  }
}
