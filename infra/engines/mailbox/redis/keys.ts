/** The Redis keys and channels of a mailbox. */
export interface Keys {
  /** The greatest id assigned so far. */
  readonly lastId: string;
  /** The keys of all recipients together: see the scripts. */
  readonly all: readonly [stored: string, expiry: string];
  /** The keys of one recipient: see the scripts. */
  mailbox(recipient: string): readonly [ids: string, expiry: string, messages: string];
  /** The pub/sub channel that announces messages to a recipient. */
  channel(recipient: string): string;
  recipientOf(channel: string): string;
}

export function createKeys(prefix: string): Keys {
  const channels = `${prefix}:mailbox:posted:`;
  return {
    lastId: `${prefix}:mailbox:last-id`,
    all: [`${prefix}:mailbox:stored`, `${prefix}:mailbox:expiry`],
    mailbox: recipient => [
      `${prefix}:mailbox:ids:${recipient}`,
      `${prefix}:mailbox:expiry:${recipient}`,
      `${prefix}:mailbox:messages:${recipient}`,
    ],
    channel: recipient => channels + recipient,
    recipientOf: channel => channel.slice(channels.length),
  };
}
