import {
  assetKey,
  PRICE_STEPS,
  PRICES_TOPIC,
  type PastPricesRecord,
  type PriceStep,
} from '../../contracts/chain/prices';
import { createBackoff } from '../../contracts/retry/backoff';
import { sleep } from '../../contracts/retry/retry';
import {
  isAmong,
  readFirst,
  reasonOf,
  type Failing,
  type PastRequest,
  type PastSteps,
  type PriceReaderDeps,
  type PriceSource,
} from './price-source';

/** How many steps are asked for: a day, 31 days, a year. */
const STEPS: Readonly<Record<PriceStep, number>> = { quarters: 96, hours: 31 * 24, days: 366 };

const MIN_RETRY_MS = 10_000;
/** Sources that were out of reach leave gaps, which are closed when the past is read again. */
const INTERVAL_MS = 86_400_000;

/**
 * Reads what the sources say of the past, and publishes it: at once, every day, and after a growing while where too few sources
 * have answered. Until the signal.
 * @param failingOf what of each source could not be read last, which is not logged again
 * @throws EngineUnavailable when the log is
 */
export async function readPastPrices(
  deps: PriceReaderDeps,
  signal: AbortSignal,
  failingOf: ReadonlyMap<string, Failing>,
): Promise<void> {
  const backoff = createBackoff(MIN_RETRY_MS, INTERVAL_MS);
  const done = new Set<string>();
  let leftMs = INTERVAL_MS;
  while (!signal.aborted) {
    const isComplete = await readPastOnce(deps, signal, done, failingOf);
    if (isComplete) backoff.reset();
    const waitMs = isComplete ? leftMs : Math.min(backoff.next(), leftMs);
    await sleep(waitMs, signal);
    leftMs -= waitMs;
    if (leftMs > 0) continue;
    // Also while something is missing: what has been read has gaps of its own.
    done.clear();
    leftMs = INTERVAL_MS;
  }
}

/**
 * @param done what needs not be read, to which is added what has been published
 * @returns whether enough sources have answered for each asset
 */
export async function readPastOnce(
  deps: PriceReaderDeps,
  signal: AbortSignal,
  done = new Set<string>(),
  failingOf: ReadonlyMap<string, Failing> = new Map(),
): Promise<boolean> {
  let isComplete = true;
  const logged = new Set<string>();
  const onFailure = (source: string, url: string, error: unknown): void => {
    const reason = reasonOf(error);
    const isKnown = logged.has(source) || isAmong(failingOf.get(source) ?? new Map(), reason);
    logged.add(source);
    if (!isKnown) deps.logger.warn({ source, url, reason }, 'past prices could not be read');
  };
  for (const [key, places] of placesByAsset(deps.sources)) {
    const { quorum } = places[0]!.source;
    // Too few have a past of it, however many answer.
    if (places.length < quorum) continue;
    for (const step of Object.keys(STEPS) as PriceStep[]) {
      const name = `${key}/${step}`;
      if (done.has(name)) continue;
      const now = deps.now();
      const until = Math.floor(now / PRICE_STEPS[step]);
      const steps: PastSteps = { step, from: until - STEPS[step], until };
      const answers = await Promise.all(places.map(place => closesOf(deps, place, steps, signal, onFailure)));
      if (signal.aborted) return false;
      const closes = Object.fromEntries(answers.filter(answer => answer !== null));
      if (Object.keys(closes).length < quorum) {
        isComplete = false;
        continue;
      }
      const readAt = new Date(now).toISOString();
      const record: PastPricesRecord = { asset: key, step, from: steps.from, closes, readAt, quorum };
      await deps.log.publish(PRICES_TOPIC.name, [{ key, value: Buffer.from(JSON.stringify(record)) }]);
      done.add(name);
    }
  }
  return isComplete;
}

/** A source that says what the price of an asset was, in answers to requests; or has one price that comes with the program. */
interface Place {
  readonly source: PriceSource;
  readonly past: string | ((steps: PastSteps) => readonly PastRequest[]);
}

function placesByAsset(sources: readonly PriceSource[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const source of sources)
    for (const { asset, past } of [
      ...(source.embedded ?? []).map(({ asset, price }) => ({ asset, past: price })),
      ...(source.past ?? []).map(({ asset, requests }) => ({ asset, past: requests })),
    ]) {
      const key = assetKey(source.realm, asset);
      places.set(key, [...(places.get(key) ?? []), { source, past }]);
    }
  return places;
}

/** One price for each of the steps; null when the source cannot be read, or has none of them. */
async function closesOf(
  { web }: PriceReaderDeps,
  { source, past }: Place,
  { step, from, until }: PastSteps,
  signal: AbortSignal,
  onFailure: (source: string, url: string, error: unknown) => void,
): Promise<[source: string, prices: (string | null)[]] | null> {
  if (typeof past === 'string') return [source.name, Array<string>(until - from).fill(past)];
  const alternatives = past({ step, from, until });
  try {
    const closes = new Map(await readFirst(web, alternatives, signal));
    const prices = Array.from(
      { length: until - from },
      (_, n) => closes.get((from + n) * PRICE_STEPS[step]) ?? null,
    );
    return prices.some(price => price !== null) ? [source.name, prices] : null;
  } catch (error) {
    if (!signal.aborted) onFailure(source.name, alternatives[0]!.url, error);
    return null;
  }
}
