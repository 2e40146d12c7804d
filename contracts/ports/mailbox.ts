/** A message between two clients of a TON Connect session, stored by the bridge until it expires. */
export interface NewMessage {
  /** Client ids: 1 to 200 characters. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Metadata that is not part of the message's identity, such as a trace id. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it was sent from, 1 to 100 characters without spaces: each source has its share of the mailbox. Absent: no share. */
  readonly source?: string;
  /** Time until the message expires, read or not: an integer from 1 to 3,600,000. */
  readonly ttlMs: number;
}

export interface Message {
  /** Below 2^53, and greater than the ids of all earlier messages, of any recipient. */
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface Posted {
  readonly id: number;
  /** False when the same message (from, to, body) was stored before: its id and time of expiry do not change. */
  readonly isNew: boolean;
}

export interface MessageFilter {
  /** One or more recipients; messages to any of them are read. */
  readonly to: readonly string[];
  /** Only messages with greater ids; 0 for all. */
  readonly after: number;
}

/**
 * Limits of the waiting messages of one recipient, and of all. Of either a source may take a quarter of what the others leave, so
 * that some is always left for who comes next. The size of a message is the UTF-8 bytes of its sender, body and headers.
 */
export interface MailboxLimits {
  readonly messages: number;
  readonly bytes: number;
  /** Of the messages to all recipients, each with `MESSAGE_OVERHEAD_BYTES`: what anybody can have the engine store. */
  readonly totalBytes: number;
}

/**
 * What engines store of a message besides, such as its recipient, its digest and the indexes that find it. Measured: 1.1 KiB in SQLite;
 * in Redis 0.7 to 1.7 KiB, and 2.3 to 3.2 KiB where it is the only one of its recipient.
 */
export const MESSAGE_OVERHEAD_BYTES = 2_048;

/** The recipient has reached its limit, or all together theirs, or the source of the message its share of either. */
export class MailboxFull extends Error {
  override readonly name = 'MailboxFull';
  constructor(
    readonly to: string,
    /** When the first of the messages that count towards the limit expires, in milliseconds since the epoch. */
    readonly freeAt: number,
  ) {
    super(`there is no room for a message to ${to}`);
  }
}

/** Receives the messages of a subscription. Called synchronously; it does not throw. */
export interface Subscriber {
  /**
   * The next messages, at least one, ordered by id, each once.
   * @returns false to receive nothing until `resume`: nothing is buffered, the messages stay in the mailbox
   */
  receive(messages: readonly Message[]): boolean;
  /** Called once: what the mailbox had at the beginning has been received. */
  caughtUp?(): void;
  /** The last call, unless the subscription was closed first: the mailbox was closed, or failed with this error. */
  ended(error?: unknown): void;
}

export interface Subscription {
  /** Continues after `receive` has returned false. */
  resume(): void;
  close(): void;
}

/**
 * Messages in one global order: a reader that has seen an id can no longer miss a lower one, so one cursor serves any
 * number of recipients. `test/contracts/mailbox.ts` is the definition.
 */
export interface Mailbox {
  /**
   * Durable when it resolves; subscribers may receive it before. Retry when the outcome is unknown: posting is idempotent.
   * @throws MailboxFull; TypeError for an invalid message
   */
  post(message: NewMessage): Promise<Posted>;
  /**
   * At most `limit` (1 to 1,000) messages that have not expired, ordered by id; fewer of many bytes, but one at least while
   * there is one: a message is the last of its page once the page has 64 KiB.
   */
  read(query: MessageFilter & { readonly limit: number }): Promise<readonly Message[]>;
  /**
   * Delivers existing messages, then new ones. Of a few hundred bytes: made for tens of thousands of subscribers that wait.
   * @throws TypeError for an invalid filter
   */
  subscribe(filter: MessageFilter, subscriber: Subscriber): Subscription;
  close(): Promise<void>;
}
