import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { z } from 'zod';
import { parseTonAddress } from '../../../../contracts/account/address';
import {
  coinAsset,
  COINS,
  currencyAsset,
  CURRENCIES,
  FILE_SOURCE,
  type PricedAsset,
  type PriceRealm,
} from '../../../../contracts/chain/prices';
import { DESCRIBED } from '../../../../contracts/problem/describe-issue';
import { TON_NETWORKS } from '../../../../contracts/network/network';
import { parseJson } from '../../../../contracts/json/parse-json';
import { positivePrice, type PriceSource, type SourcePrice } from '../../../../indexers/rates/price-source';
import type { Check } from '../../health/health';
import { fileFault } from '../../../config/file-error';
import { WrongSettings } from '../../../config/settings';

const isTon = (asset: PricedAsset): boolean => asset.type === 'coin' && asset.coin === 'TON';

const INTERVAL_MS = 60_000;
const MAX_JETTONS = 1_000;

const prices = z
  .strictObject({
    coins: z.partialRecord(z.enum(COINS), positivePrice).default({}),
    currencies: z.partialRecord(z.enum(CURRENCIES), positivePrice).default({}),
    jettons: z.partialRecord(z.enum(TON_NETWORKS), z.record(z.string(), positivePrice)).default({}),
  })
  .transform(({ coins, currencies, jettons }, context): SourcePrice[] => {
    const found: SourcePrice[] = [
      ...COINS.map(coin => ({ asset: coinAsset(coin), price: coins[coin] })),
      ...CURRENCIES.map(currency => ({ asset: currencyAsset(currency), price: currencies[currency] })),
    ].flatMap(({ asset, price }) => (price === undefined ? [] : [{ asset, price, at: null }]));
    for (const network of TON_NETWORKS)
      for (const [address, price] of Object.entries(jettons[network] ?? {})) {
        const parsed = parseTonAddress(address);
        const isOfNetwork = parsed && !(parsed.testOnly && network === 'mainnet');
        if (isOfNetwork)
          found.push({ asset: { type: 'jetton', network, master: parsed.raw }, price, at: null });
        else
          context.addIssue({
            code: 'custom',
            path: ['jettons', network, address],
            message: `not an address of ${network}`,
          });
      }
    return found;
  })
  .refine(({ length }) => length > 0, 'it has no price')
  .refine(({ length }) => length <= MAX_JETTONS, `it has more than ${MAX_JETTONS} prices`);

/** A file of prices that operators write. */
export interface PriceFile {
  /** What it says; nothing while it cannot be used, so that what it said before is served with its age. */
  readonly source: PriceSource;
  /** Fails while the file cannot be used. */
  readonly check: Check;
}

export interface PriceFileOptions {
  readonly realm: PriceRealm;
  /** Whether another source has the price of TON, without which no prices are served. */
  readonly isTonElsewhere: boolean;
}

/**
 * Opens the file of PRICE_FILE, which is read again whenever its prices are published.
 * @throws WrongSettings when it cannot be used
 */
export function openPriceFile(
  file: string,
  { realm, isTonElsewhere }: PriceFileOptions,
  logger: Pick<Logger, 'info' | 'warn'>,
): PriceFile {
  let fault: string | null = null;
  try {
    const known = readPrices(file);
    if (!isTonElsewhere && !known.some(({ asset }) => isTon(asset)))
      throw new Error('it has no price of TON, and no source of PRICE_SOURCES has one');
  } catch (error) {
    throw new WrongSettings(`PRICE_FILE=${JSON.stringify(file)}: ${fileFault(error)}`);
  }

  const given = (): readonly SourcePrice[] => {
    try {
      const known = readPrices(file);
      if (fault !== null) logger.info({ file }, 'the price file can be used again');
      fault = null;
      return known;
    } catch (error) {
      if (fault === null)
        logger.warn(
          { file, err: error },
          'cannot use the price file; serving its last prices, which are growing stale',
        );
      fault = fileFault(error);
      return [];
    }
  };
  return {
    source: { name: FILE_SOURCE, realm, intervalMs: INTERVAL_MS, quorum: 1, given, requests: [] },
    check: { name: 'rates_file', vital: false, run: async () => fault && `PRICE_FILE: ${fault}` },
  };
}

/** @throws Error with a line for each fault */
function readPrices(file: string): readonly SourcePrice[] {
  const read = prices.safeParse(parseJson(readFileSync(file)), DESCRIBED);
  if (read.success) return read.data;
  throw new Error(read.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('\n'));
}
