import { immutable } from '../../contracts/http/immutable-response';
import { Problem } from '../../contracts/problem/problem';
import { PRICES_SOURCE } from '../../projections/rates/prices';
import type { Views } from '../../projections/views';
import { Reply } from '../http/call';
import { readUntil, type WaitLimit } from '../read-until';
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
  /** While nothing is stale an answer does not depend on the clock, and the bytes of the last one are sent again. */
  async function reply<Body extends object>(
    key: readonly unknown[],
    answer: Answer<Body>,
  ): Promise<Reply<Body> | null> {
    const fresh = await views.cached({ key, sources: [PRICES_SOURCE] }, async () => {
      const found = await answer(0);
      return found && { ...found, body: immutable(found.body), ...headersOf(found.priced) };
    });
    if (!fresh) return null;
    const now = clock().getTime();
    const headers = fresh.asOf === null ? fresh.headers : { ...fresh.headers, Age: ageOf(fresh.asOf, now) };
    if (!fresh.priced.some(priced => isStale(priced, now))) return new Reply(fresh.body, headers);
    const current = await answer(now);
    return current && new Reply(current.body, headers);
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

function headersOf(priced: readonly Priced[]) {
  return dataHeaders(
    priced.flatMap(({ used }) => used.map(({ source }) => source)),
    priced.map(({ at }) => at),
  );
}
