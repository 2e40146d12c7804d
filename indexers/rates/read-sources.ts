import { assetKey, priceMessage, PRICES_TOPIC } from '../../contracts/chain/prices';
import { sleep } from '../../contracts/retry/retry';
import { runUntilFirstFailure } from '../run-until-first-failure';
import { readPastPrices } from './read-past';
import { readFirst, type PriceReaderDeps, type PriceSource, type SourcePrice } from './price-source';

/**
 * Reads all sources again and again, each by itself so that none waits for another, and what they say of the past, and
 * publishes it. Until the signal. @throws EngineUnavailable when the log is
 */
export async function readPriceSources(deps: PriceReaderDeps, signal: AbortSignal): Promise<void> {
  await runUntilFirstFailure(signal, [
    ...deps.sources.map(source => async (signal: AbortSignal) => {
      const failing = new Set<string>();
      while (!signal.aborted) {
        const { intervalMs, retryMs = intervalMs } = source;
        const published = await readPriceSource(deps, source, signal, failing);
        await sleep(published > 0 ? intervalMs : retryMs, signal);
      }
    }),
    signal => readPastPrices(deps, signal),
  ]);
}

/**
 * Reads a source once. What cannot be read is logged when it begins to fail and when it has recovered.
 * @param failing the URLs that failed the last time, and the name of a source whose contracts did
 * @returns how many prices it has said
 */
export async function readPriceSource(
  { web, log, logger, now }: PriceReaderDeps,
  source: PriceSource,
  signal: AbortSignal,
  failing = new Set<string>(),
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
      if (failing.delete(url)) logger.info({ source: source.name, url }, 'prices can be read again');
    } catch (error) {
      if (signal.aborted) return published;
      if (!failing.has(url))
        logger.warn({ source: source.name, url, err: error }, 'prices could not be read');
      failing.add(url);
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
