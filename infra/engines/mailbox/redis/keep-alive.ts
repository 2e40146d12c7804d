import type { Redis } from 'ioredis';

const PING_INTERVAL_MS = 5_000;

/**
 * Reconnects when a ping has no reply within the interval: a subscriber would not notice a connection that was lost
 * without notice.
 * @returns stops the pings
 */
export function keepAlive(client: Redis): () => void {
  let pending = false;
  const timer = setInterval(() => {
    if (client.status !== 'ready') return;
    if (pending) return client.disconnect(true);
    pending = true;
    const settled = (): void => void (pending = false);
    client.ping().then(settled, settled);
  }, PING_INTERVAL_MS);
  return () => clearInterval(timer);
}
