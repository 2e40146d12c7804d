import type { Redis } from 'ioredis';

/** Milliseconds. */
const PULSE = 5_000;

/**
 * Gives up a connection that answers nothing from one pulse to the next: one that was cut silently would stay deaf.
 * The client makes a new one by itself.
 * @returns what ends the pulse
 */
export function keepAlive(client: Redis): () => void {
  let asking = false;
  const timer = setInterval(() => {
    if (client.status !== 'ready') return;
    if (asking) return client.disconnect(true);
    asking = true;
    const answered = (): void => void (asking = false);
    client.ping().then(answered, answered);
  }, PULSE);
  return () => clearInterval(timer);
}
