import { assetKey, priceMessage, PRICES_TOPIC } from '../../contracts/chain/prices';
import { sleep } from '../../contracts/retry/retry';
import { runUntilFirstFailure } from '../run-until-first-failure';
import { readPastPrices } from './read-past';
import {
  isAmong,
  readFirst,
  reasonOf,
  type PriceReaderDeps,
  type PriceSource,
  type SourcePrice,
} from './price-source';

/**
 * Reads all sources again and again, each by itself so that none waits for another, and what they say of the past, and
 * publishes it. Until the signal. @throws EngineUnavailable when the log is
 */
export async function readPriceSources(deps: PriceReaderDeps, signal: AbortSignal): Promise<void> {
  const failingOf = new Map(deps.sources.map(({ name }) => [name, new Map<string, string>()]));
  await runUntilFirstFailure(signal, [
    ...deps.sources.map(source => async (signal: AbortSignal) => {
      const failing = failingOf.get(source.name)!;
      while (!signal.aborted) {
        const { intervalMs, retryMs = intervalMs } = source;
        const published = await readPriceSource(deps, source, signal, failing);
        await sleep(published > 0 ? intervalMs : retryMs, signal);
      }
    }),
    signal => readPastPrices(deps, signal, failingOf),
  ]);
}

/**
 * Reads a source once. What cannot be read is logged when it begins to fail and when it has recovered: once for all URLs that one
 * fault, a host that cannot be reached for example, makes fail.
 * @param failing the URLs that failed the last time, and the name of a source whose contracts did, and why
 * @returns how many prices it has said
 */
export async function readPriceSource(
  { web, log, logger, now }: PriceReaderDeps,
  source: PriceSource,
  signal: AbortSignal,
  failing = new Map<string, string>(),
): Promise<number> {
  const { embedded, given, requests } = source;
  const unrequested = embedded ?? given?.();
  let published = unrequested?.length ?? 0;
  if (unrequested) await log.publish(PRICES_TOPIC.name, messagesOf(source, unrequested, now()));
  const reads = requests.map(alternatives => ({
    url: alternatives[0]!.url,
    read: () => readFirst(web, alternatives, signal),
  }));
  if (source.readContracts) reads.push({ url: source.name, read: async () => source.readContracts!() });
  for (const { url, read } of reads) {
    let prices: readonly SourcePrice[];
    // Taken before the read, so that a quote is never older than its instant.
    const readAt = now();
    try {
      prices = await read();
      const fault = failing.get(url);
      failing.delete(url);
      if (fault !== undefined && !isAmong(failing, fault))
        logger.info({ source: source.name, url }, 'prices can be read again');
    } catch (error) {
      if (signal.aborted) return published;
      const reason = reasonOf(error);
      if (!failing.has(url) && !isAmong(failing, reason))
        logger.warn({ source: source.name, url, reason }, 'prices could not be read');
      failing.set(url, failing.get(url) ?? reason);
      continue;
    }
    await log.publish(PRICES_TOPIC.name, messagesOf(source, prices, readAt));
    published += prices.length;
  }
  return published;
}

function messagesOf({ name, realm, quorum }: PriceSource, prices: readonly SourcePrice[], now: number) {
  const readAt = new Date(now).toISOString();
  return prices.map(({ asset, price, at }) => {
    return priceMessage({
      asset: assetKey(realm, asset),
      source: name,
      price,
      // The clock of a source may be ahead of ours.
      at: at === null || at > now ? readAt : new Date(at).toISOString(),
      readAt,
      quorum,
    });
  });
}
