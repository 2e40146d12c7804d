/** A message between two ends of a TON Connect session, which the bridge keeps until its time is over. */
export interface NewMessage {
  /** Client ids: not empty, at most 200 characters. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** What goes with the body without making it another message, such as the id of a trace. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that it is kept, whoever has seen it: whole, from 1 to 3,600,000. */
  readonly ttl: number;
}

export interface Message {
  /** Below 2^53 and greater than that of every message before, whoever it was for. */
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

export interface Posted {
  readonly id: number;
  /** False when the same message (from, to, body) was already there: the id is that of then, and its time goes on. */
  readonly fresh: boolean;
}

export interface Reading {
  /** One recipient or more; a message for any of them is read. */
  readonly to: readonly string[];
  /** Messages of greater ids only; 0 for all. */
  readonly after: number;
}

/** What a recipient may have waiting; a message weighs the UTF-8 bytes of its sender, body and headers. */
export interface Limits {
  readonly messages: number;
  readonly bytes: number;
}

/** The recipient has as much waiting as is kept for one. */
export class MailboxFull extends Error {
  override readonly name = 'MailboxFull';
  constructor(
    readonly to: string,
    /** When the first of what is waiting expires, in milliseconds since the epoch. */
    readonly freeAt: number,
  ) {
    super(`the mailbox of ${to} is full`);
  }
}

/**
 * Messages in one order over all recipients: whoever has read one has had the chance to read all of lower ids, so that
 * one cursor serves any number of recipients. `test/contracts/mailbox.ts` is the definition.
 */
export interface Mailbox {
  /**
   * Durable when it resolves. To be repeated when it is not known how it ended.
   * @throws MailboxFull; TypeError for what cannot be a message
   */
  post(message: NewMessage): Promise<Posted>;
  /** At most `limit` (1 to 1,000) messages that have not expired, in the order of their ids. */
  read(reading: Reading & { readonly limit: number }): Promise<readonly Message[]>;
  /**
   * What is there, then what comes, in batches that are not empty, in the order of the ids, each message once. Ends at
   * the signal and when the mailbox is closed. Nothing is read ahead of who follows.
   */
  follow(following: Reading & { readonly signal?: AbortSignal }): AsyncIterable<readonly Message[]>;
  close(): Promise<void>;
}
