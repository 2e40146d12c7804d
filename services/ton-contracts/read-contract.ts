import type { TonContractObserved } from '../../contracts/chain/ton-contract';
import type { Observed } from '../../contracts/observation';
import { limitAddress } from '../http/limits';
import type { TonAccount } from '../ton-account';
import type { Reader } from '../watch-account';
import type { TonContractDeps } from './deps';
import { createOutages } from './outages';

/** An answer about a contract, and the age from which on it is read again. */
export interface ContractView<Response> {
  /** Part of the key by which answers are cached. */
  readonly name: string;
  /** It must not depend on anything else. */
  response(observed: Observed<TonContractObserved>, account: TonAccount): Response;
  staleAfterMs(data: TonContractObserved): number;
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

export function createContractReader(deps: TonContractDeps): ReadContract {
  const { views, contracts, look, limits, maxStored, now } = deps;
  const outages = createOutages(now);

  const isRoom = async (account: TonAccount): Promise<boolean> =>
    maxStored === 0 || (await views.count(contracts.source(account).collection)) < maxStored;

  /** Anybody can think of any number of addresses: nothing is stored of one where nothing is. */
  async function readUnread(account: TonAccount, reader: Reader): Promise<Observed<TonContractObserved>> {
    if (outages.isPaused(account)) throw contracts.notReady(account, 'The contract');
    await limitAddress(await limits(), 'contract_reads', reader);
    const found = await look(account).catch((error: unknown) => {
      outages.failed(account);
      throw error;
    });
    outages.answered(account);
    const { height, data } = found.data;
    if (data.state !== 'non-existing' && (await isRoom(account))) await contracts.request(account);
    return { height, data, at: found.at };
  }

  return async ({ name, response, staleAfterMs }, account, reader) => {
    const { network, address } = account;
    const query = { key: [name, network, address], sources: [contracts.source(account)] };
    const stored = await views.cached(query, async () => {
      const observed = await contracts.find(account);
      return (
        observed && {
          response: response(observed, account),
          staleAt: Date.parse(observed.at) + staleAfterMs(observed.data),
        }
      );
    });
    if (!stored) return response(await readUnread(account, reader), account);
    if (now() > stored.staleAt) void contracts.request(account);
    return stored.response;
  };
}
