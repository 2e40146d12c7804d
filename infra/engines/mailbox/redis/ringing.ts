import type { Redis } from 'ioredis';
import { type Bells, createBells } from '../bells';
import type { Ear } from '../ear';
import { answered } from './answered';
import type { Keys } from './keys';

/**
 * Rings for what is posted, in whatever process, through one connection for all who listen here. Word of a post may be
 * lost with the connection: everybody looks when it is there again.
 * @param subscriber a connection that is used for nothing else
 */
export function createRinging(subscriber: Redis, keys: Keys) {
  const leave = (to: readonly string[]): void => {
    const channels = to.filter(name => !bells.hears(name)).map(keys.channel);
    // Fails with the client as a whole only, and then nobody is left to be told.
    if (channels.length > 0) subscriber.unsubscribe(...channels).catch(() => undefined);
  };
  const bells: Bells = createBells(leave);

  subscriber.on('message', (channel: string) => bells.ring(keys.recipientOf(channel)));
  // The client subscribes again by itself before it is ready; what is asked behind that is answered after it.
  subscriber.on('ready', () => void subscriber.ping().then(bells.ringAll, () => undefined));

  return {
    /** Rings for the first time once nothing that is posted can be missed any more. */
    listen: (to: readonly string[]): Ear => {
      const ear = bells.listen(to);
      answered(subscriber.subscribe(...to.map(keys.channel))).then(ear.ring, ear.fail);
      return ear;
    },
    close: (): void => bells.close(),
  };
}
