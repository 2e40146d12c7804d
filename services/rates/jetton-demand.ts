import { failureLevel } from '../../contracts/engine/engine-unavailable';
import type { UnrecordedReader } from '../../contracts/observation/reader';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { atMost } from '../../contracts/engine/cache-bounds';
import { poolPriceJob, type Jetton } from '../../contracts/chain/pool-prices';
import type { PriceRealm } from '../../contracts/chain/prices';
import type { Jobs } from '../../contracts/ports/jobs';
import { addressKey } from '../../contracts/http/address-key';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { Problem } from '../../contracts/problem/problem';
import { monotonic } from '../../contracts/time/monotonic';
import { findPrices, PRICES_SOURCE } from '../../projections/rates/prices';
import type { Views } from '../../projections/views';
import { createFirstReadLimit } from '../http/limits';
import type { Reader } from '../watch-account';
import { readUntil, type WaitLimit } from '../reads/read-until';
import { isPriced, isStale } from './prices';

export interface JettonDemandDeps {
  readonly views: Pick<Views, 'getMany' | 'waitForChange'>;
  readonly realm: PriceRealm;
  readonly jobs: Pick<Jobs, 'add'>;
  /** Whether a jetton without a price has a pool that can make one. */
  readonly hasPool: UnrecordedReader<Jetton, boolean>;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  /** Milliseconds that a read waits for a first price; default 2,500. */
  readonly waitMs?: number;
  /** Default: any number of reads may wait. */
  readonly waitLimit?: WaitLimit;
}

/** Resolves when prices of jettons are as new as they can be without a longer wait; never rejects. */
export type DemandPrices = (jettons: readonly Jetton[], reader?: Pick<Reader, 'ip'>) => Promise<void>;

/** An older price is still served, and read again. */
const REFRESH_MS = 60_000;
/** Between two checks of a jetton. */
const CHECK_MS = 5_000;
const MAX_REMEMBERED = 20_000;

/**
 * Has the prices of jettons read from pools when somebody asks for them: they are not read otherwise. Of a jetton without a
 * pool that can make a price nothing is stored.
 */
export function createJettonDemand(deps: JettonDemandDeps): DemandPrices {
  const { views, realm, jobs, hasPool, clock, logger } = deps;
  const now = (): number => clock().getTime();
  const limitFirstRead = createFirstReadLimit(deps.limits, CONTRACT_READS);
  const checks = new LRUCache<string, Promise<void>>({
    ...atMost(MAX_REMEMBERED),
    ttl: CHECK_MS,
    ttlResolution: 0,
    perf: { now: monotonic(now) },
  });

  const find = async (jetton: Jetton) => {
    const [price = null] = await findPrices(views, realm, [{ type: 'jetton', ...jetton }]);
    return isPriced(price) ? price : null;
  };

  /** Anybody can think of any number of jettons. @throws Problem 429, 503 */
  async function canBePriced(jetton: Jetton, reader: Pick<Reader, 'ip'> | undefined): Promise<boolean> {
    if (!reader) return (await hasPool.read(jetton)).data;
    const { ip } = reader;
    await limitFirstRead(`pool of ${jetton.network}/${jetton.master}`, { ip, appendHeader: () => undefined });
    return (await hasPool.read(jetton, { caller: addressKey(ip) })).data;
  }

  async function demand(jetton: Jetton, reader: Pick<Reader, 'ip'> | undefined): Promise<void> {
    const request = async (): Promise<void> => void (await jobs.add(poolPriceJob(jetton)));
    const known = await find(jetton);
    if (known && now() - Date.parse(known.at) <= REFRESH_MS) return;
    if (known && !isStale(known, now())) return request();
    if (!known && !(await canBePriced(jetton, reader))) return;
    await readUntil({
      read: () => find(jetton),
      isDone: price => price !== null && !isStale(price, now()),
      waitForChange: (timeoutMs, signal) => views.waitForChange([PRICES_SOURCE], timeoutMs, signal),
      request,
      waitMs: deps.waitMs,
      waitLimit: deps.waitLimit,
      caller: reader && addressKey(reader.ip),
    });
  }

  return async (jettons, reader) => {
    await Promise.all(
      jettons.map(jetton => {
        const key = `${jetton.network}/${jetton.master}/${reader ? addressKey(reader.ip) : ''}`;
        const before = checks.get(key);
        if (before) return before;
        const check = demand(jetton, reader).catch((error: unknown) => {
          // Over the limits of a source, or TON does not answer.
          if (error instanceof Problem) return;
          logger[failureLevel(error, 'warn')](
            { ...jetton, err: error },
            'price of a jetton could not be requested',
          );
        });
        checks.set(key, check);
        return check;
      }),
    );
  };
}
