import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { closeClient, createClient } from '../redis/client';
import type { SharedBudget } from './budget';

/**
 * The generic cell rate algorithm, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm, on the clock of Redis: the key holds
 * when the next request is due, in microseconds; one may be sent earlier by the burst.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local due = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now))
local wait = due - now - tonumber(ARGV[2])
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.0f', due + tonumber(ARGV[1])), 'PX', 60000)
return 0`;

const MICROSECONDS = 1_000_000;
/** How long each process has the budget alone after Redis did not answer. */
const FALLBACK_MS = 2_000;

export interface RedisBudgetOptions {
  readonly url: string;
  readonly key: string;
  readonly perSecond: number;
  readonly logger: Logger;
}

/** The budget of all processes of a Redis. While Redis is not available each process has it alone. */
export function openRedisBudget({ url, key, perSecond, logger }: RedisBudgetOptions): SharedBudget & {
  close(): Promise<void>;
} {
  const client: Redis = createClient(url, 'failFast', logger);
  const interval = MICROSECONDS / perSecond;
  const burst = interval * (Math.max(1, Math.floor(perSecond / 4)) - 1);
  let fallbackUntil = 0;
  return {
    async take() {
      if (performance.now() < fallbackUntil) return 0;
      try {
        const waitMicros = (await client.eval(TAKE, 1, key, interval, burst)) as number;
        return waitMicros / 1_000;
      } catch {
        fallbackUntil = performance.now() + FALLBACK_MS;
        // A reply that arrives late would be taken for the reply to a later command: reconnect.
        if (client.status === 'ready') client.disconnect(true);
        return 0;
      }
    },
    close: () => closeClient(client),
  };
}
