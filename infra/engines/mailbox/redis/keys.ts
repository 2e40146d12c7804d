/** The names under which a mailbox is kept. */
export interface Keys {
  /** The greatest id there ever was. */
  readonly last: string;
  /** What is kept for a recipient: see the scripts. */
  box(to: string): readonly [ids: string, ends: string, mail: string];
  /** Where is told that something came for a recipient. */
  channel(to: string): string;
  recipientOf(channel: string): string;
}

export function createKeys(prefix: string): Keys {
  const channels = `${prefix}:mailbox:posted:`;
  return {
    last: `${prefix}:mailbox:last`,
    box: to => [
      `${prefix}:mailbox:ids:${to}`,
      `${prefix}:mailbox:ends:${to}`,
      `${prefix}:mailbox:mail:${to}`,
    ],
    channel: to => channels + to,
    recipientOf: channel => channel.slice(channels.length),
  };
}
