import type { Logger } from 'pino';
import { z } from 'zod';
import type { PricedAsset, PriceRealm, PriceStep } from '../../contracts/chain/prices';
import { canonicalDecimal } from '../../contracts/money/decimal';
import type { Log } from '../../contracts/ports/log';
import type { PublicWeb } from '../../contracts/ports/public-web';
import { messageOf } from '../../contracts/text/error-message';
import { readJson } from '../../contracts/json/read-json';

/** How many of the markets, and of the tables of currencies, must answer before a price follows them: see `agreedPrice`. */
export const QUORUM = 3;

/** A price as a source has it. */
export interface SourcePrice {
  readonly asset: PricedAsset;
  /** A positive decimal. */
  readonly price: string;
  /** Milliseconds since the epoch, where the source has a time; null: when it was read. */
  readonly at: number | null;
}

/** One request to a source, and what its answer says. */
export interface PriceRequest {
  readonly url: string;
  /** @throws z.ZodError for an answer of another form, about another pair, or without a positive price */
  parse(answer: unknown): readonly SourcePrice[];
}

/** Steps of a price whose last prices are asked for. */
export interface PastSteps {
  readonly step: PriceStep;
  /** Steps since the epoch: the first, and the one after the last. */
  readonly from: number;
  readonly until: number;
}

/** The last price of a step, by the instant at which the step begins: milliseconds since the epoch. */
export type Close = readonly [begin: number, price: string];

/** One request for what the price of an asset was. */
export interface PastRequest {
  readonly url: string;
  /** @throws z.ZodError for an answer of another form, or with something else than positive prices */
  parse(answer: unknown): readonly Close[];
}

/** Where prices are read. */
export interface PriceSource {
  readonly name: string;
  readonly realm: PriceRealm;
  readonly intervalMs: number;
  /** Milliseconds until the next read after one that has said nothing; default `intervalMs`. */
  readonly retryMs?: number;
  /** How many fresh sources there must be of what it has a price of. */
  readonly quorum: number;
  /** Prices that come with the program; they need no request. */
  readonly embedded?: readonly SourcePrice[];
  /** Prices that operators give, as they are now; they need no request. */
  readonly given?: () => readonly SourcePrice[];
  /** Each is a list of alternatives: the first that answers counts. */
  readonly requests: readonly (readonly PriceRequest[])[];
  /** What contracts say. @throws Error when TON does not answer */
  readContracts?(): Promise<readonly SourcePrice[]>;
  /** Where it says what its prices were, for each asset that it does so of: a list of alternatives. */
  readonly past?: readonly {
    readonly asset: PricedAsset;
    requests(steps: PastSteps): readonly PastRequest[];
  }[];
}

export interface PriceReaderDeps {
  readonly sources: readonly PriceSource[];
  readonly web: PublicWeb;
  readonly log: Pick<Log, 'publish'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What of a source fails, each with the reason. */
export type Failing = ReadonlyMap<string, string>;

export function isAmong(failing: Failing, reason: string): boolean {
  return [...failing.values()].includes(reason);
}

/** Why nothing could be read, in one line: of several alternatives, the first one's reason. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return messageOf(first).replace(/\s+/g, ' ');
}

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;

/** What the first of the alternatives says that can be read. @throws Error for every failure */
export async function readFirst<Answer>(
  web: PublicWeb,
  alternatives: readonly { readonly url: string; parse(answer: unknown): Answer }[],
  signal: AbortSignal,
): Promise<Answer> {
  const failures: unknown[] = [];
  for (const { url, parse } of alternatives)
    try {
      const bytes = await web.get(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
      return parse(readJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(error);
    }
  throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'no alternative has answered');
}

/** Digits on each side of the point, as many as an amount can have. */
const MAX_DIGITS = 18;

/** A positive decimal, as text or as a number, in its canonical form. */
export const positivePrice = z.union([z.string(), z.number()]).transform((given, context) => {
  const text =
    typeof given === 'string' ? given : /e/.test(String(given)) ? given.toFixed(18) : String(given);
  const price = canonicalDecimal(text, MAX_DIGITS);
  if (price !== null && price !== '0') return price;
  context.addIssue({ code: 'custom', message: 'not a positive decimal' });
  return z.NEVER;
});

/** Milliseconds since the epoch, as text or as a number. */
export const milliseconds = z.coerce.number().pipe(z.int().min(0).max(8_640_000_000_000_000));

/** Seconds since the epoch, as text or as a number; milliseconds in what is parsed. */
export const seconds = z.coerce
  .number()
  .pipe(z.int().min(0).max(8_640_000_000_000))
  .transform(value => value * 1_000);
