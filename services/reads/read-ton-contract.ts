import { addressKey } from '../../contracts/http/address-key';
import { CONTRACT_READS, STORED_CONTRACTS } from '../../contracts/http/ton/contracts';
import type { TonContractObserved, TonContractSubject } from '../../contracts/chain/ton-contract';
import type { TonNetwork } from '../../contracts/network/network';
import type { Observed, ObservedReader, UnrecordedReader } from '../../contracts/observation/reader';
import { ReadNotBegun } from '../../contracts/observation/read-not-begun';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { Views } from '../../projections/views';
import { isWithinQuota, limitAddress } from '../http/limits';
import type { TonAccount } from '../../contracts/account/ton-account';
import type { Reader } from '../watch-account';

export interface ContractReaderDeps {
  readonly views: Pick<Views, 'cached'>;
  readonly contracts: ObservedReader<TonContractSubject, TonContractObserved>;
  /** Reads a contract that was not observed so far. */
  readonly unrecorded: UnrecordedReader<TonContractSubject, TonContractObserved>;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** An answer about a contract, and the age from which on it is read again. */
export interface ContractView<Response> {
  /** Part of the key by which answers are cached. */
  readonly name: string;
  /** It must not depend on anything else. */
  response(observed: Observed<TonContractObserved>, account: TonAccount): Response;
  staleAfterMs(data: TonContractObserved): number;
  /** True: once what is stored is stale, it is not served but read again, as if it had not been read so far. */
  isUseless?(data: TonContractObserved): boolean;
}

/**
 * Answers what is known of a contract. It is stored once it was read and exists, and refreshed behind an answer that is
 * stale. One that was not read so far is read at once.
 * @throws Problem 429 `rate_limited`, 503 `not_ready` when nothing is known
 */
export type ReadContract = <Response>(
  view: ContractView<Response>,
  account: TonAccount,
  reader: Reader,
) => Promise<Response>;

export function createContractReader(deps: ContractReaderDeps): ReadContract {
  const { views, contracts, unrecorded, limits, now } = deps;
  const outages = createOutages(now);

  const mayStore = async (reader: Reader): Promise<boolean> =>
    isWithinQuota(await limits(), STORED_CONTRACTS, reader);

  /** Anybody can think of any number of addresses: nothing is stored of one where nothing is. */
  async function readUnread(account: TonAccount, reader: Reader): Promise<Observed<TonContractObserved>> {
    if (outages.isPaused(account)) throw contracts.notReady(account, 'The contract');
    await limitAddress(await limits(), CONTRACT_READS, reader);
    const found = await unrecorded
      .read(account, { caller: addressKey(reader.ip) })
      .catch((error: unknown) => {
        if (!(error instanceof ReadNotBegun)) outages.failed(account);
        throw error;
      });
    outages.answered(account);
    if (found.data.state !== 'non-existing' && (await mayStore(reader))) await contracts.request(account);
    return found;
  }

  return async ({ name, response, staleAfterMs, isUseless = () => false }, account, reader) => {
    const { network, address } = account;
    const query = { key: [name, network, address], sources: [contracts.source(account)] };
    const stored = await views.cached(query, async () => {
      const observed = await contracts.find(account);
      return (
        observed && {
          response: response(observed, account),
          staleAt: Date.parse(observed.at) + staleAfterMs(observed.data),
          useless: isUseless(observed.data),
        }
      );
    });
    const isStale = stored !== null && now() > stored.staleAt;
    if (!stored || (isStale && stored.useless)) return response(await readUnread(account, reader), account);
    if (isStale) void contracts.request(account);
    return stored.response;
  };
}

interface Outages {
  failed(contract: TonContractSubject): void;
  answered(contract: TonContractSubject): void;
  /** Whether the source of the contract was asked in vain a moment ago. */
  isPaused(contract: TonContractSubject): boolean;
}

const PAUSE_MS = 5_000;
/** Contracts that could not be read, with none that could between them, before the source is held responsible. */
const MAX_FAILED = 3;

/**
 * Which networks do not answer: a wallet asks for the contracts of a page one after the other, and each would wait. One
 * contract that cannot be read does not stop the reads of others, however often it is asked for.
 */
function createOutages(now: () => number): Outages {
  const failedOf = new Map<TonNetwork, Set<string>>();
  const pausedUntil = new Map<TonNetwork, number>();
  return {
    failed({ network, address }) {
      const failed = (failedOf.get(network) ?? new Set<string>()).add(address);
      failedOf.set(network, failed);
      if (failed.size < MAX_FAILED) return;
      failed.clear();
      pausedUntil.set(network, now() + PAUSE_MS);
    },
    answered: ({ network }) => void failedOf.delete(network),
    isPaused: ({ network }) => now() < (pausedUntil.get(network) ?? 0),
  };
}
