import { immutable } from '../../contracts/http/immutable-response';
import { Problem } from '../../contracts/problem/problem';
import { PRICES_SOURCE } from '../../projections/rates/prices';
import type { Views } from '../../projections/views';
import { Reply } from '../http/call';
import { readUntil, type WaitLimit } from '../reads/read-until';
import { dataHeaders } from './data-headers';
import { isStale, type Priced } from './prices';

export interface PricedReplyDeps {
  readonly views: Pick<Views, 'cached' | 'waitForChange'>;
  readonly clock: () => Date;
  /** Milliseconds that a read waits for the first prices; default 2,500. */
  readonly waitMs?: number;
  /** Default: any number of reads may wait. */
  readonly waitLimit?: WaitLimit;
}

/** An answer, and what its prices are. */
interface PricedAnswer<Body> {
  readonly body: Body;
  readonly priced: readonly Priced[];
}

/** Computes an answer as of an instant (milliseconds since the epoch); null while there is no price. */
type Answer<Body> = (now: number) => Promise<PricedAnswer<Body> | null>;

const RETRY_AFTER_SECONDS = 2;

/** Replies with prices, whose headers say where they come from and how old they are. */
export function createPricedReplies({ views, clock, waitMs, waitLimit }: PricedReplyDeps) {
  /** An answer depends on the clock only by which of its prices are stale, and the bytes of the last one are sent again. */
  async function reply<Body extends object>(
    key: readonly unknown[],
    answer: Answer<Body>,
  ): Promise<Reply<Body> | null> {
    const made = (now: number, stale: string) =>
      views.cached(
        { key: [...key, stale], sources: [PRICES_SOURCE] },
        async () => {
          const found = await answer(now);
          return found && { ...found, body: immutable(found.body), ...headersOf(found.priced) };
        },
        // Newer prices may have come in between.
        found => found === null || staleAmong(found.priced, now) === stale,
      );
    const fresh = await made(0, '');
    if (!fresh) return null;
    const now = clock().getTime();
    const stale = staleAmong(fresh.priced, now);
    const current = stale === '' ? fresh : await made(now, stale);
    if (!current) return null;
    const { body, headers, asOf } = current;
    return new Reply(body, asOf === null ? headers : { ...headers, Age: ageOf(asOf, now) });
  }

  /** Waits for the first prices after a first start. @throws Problem 503 `not_ready` */
  async function waitingReply<Body extends object>(
    key: readonly unknown[],
    answer: Answer<Body>,
  ): Promise<Reply<Body>> {
    const found = await readUntil({
      read: () => reply(key, answer),
      isDone: made => made !== null,
      waitForChange: (timeoutMs, signal) => views.waitForChange([PRICES_SOURCE], timeoutMs, signal),
      waitMs,
      waitLimit,
      subject: 'prices',
    });
    if (!found) throw Problem.unavailable('No price has been read yet; try again.', RETRY_AFTER_SECONDS);
    return found;
  }

  return { reply, waitingReply };
}

const ageOf = (asOf: string, now: number): string =>
  String(Math.max(0, Math.floor((now - Date.parse(asOf)) / 1_000)));

/** The ids of those that are stale. */
const staleAmong = (priced: readonly Priced[], now: number): string =>
  priced
    .filter(each => isStale(each, now))
    .map(({ _id }) => _id)
    .join();

function headersOf(priced: readonly Priced[]) {
  return dataHeaders(
    priced.flatMap(({ used }) => used.map(({ source }) => source)),
    priced.map(({ at }) => at),
  );
}
