import { addressKey } from '../../contracts/http/address-key';
import type { TonNetwork } from '../../contracts/network/network';
import type { Reader } from '../watch-account';
import type { TonContractDeps } from './deps';

/** Staking pools (raw). */
export interface OfferedPools {
  readonly pools: readonly string[];
  /** One of them; null when there are none. */
  readonly recommended: string | null;
}

/** The pools that a wallet is offered. Waits for those that were never read. Never rejects for one that cannot be read. */
export type FindOfferedPools = (network: TonNetwork, caller: Reader) => Promise<OfferedPools>;

export function createOfferedPools({
  views,
  trustedPools,
  pools,
  observedPools: observed,
}: Pick<TonContractDeps, 'views' | 'trustedPools' | 'pools' | 'observedPools'>): FindOfferedPools {
  const known = (network: TonNetwork) =>
    views.cached(
      { key: ['staking pools', network], sources: [{ collection: observed.collection }] },
      async () => {
        const found = await observed.findMany(pools[network].map(address => ({ network, address })));
        return pools[network].map((address, place) => ({ address, reading: found[place] ?? null }));
      },
    );

  /** A pool that cannot be read delays no wallet for long. */
  async function readMissing(network: TonNetwork, caller: Reader): Promise<void> {
    const missing = (await known(network)).filter(({ reading }) => reading === null);
    const waits = missing.map(({ address }) =>
      observed.read({ network, address }, { caller: addressKey(caller.ip) }).catch(() => undefined),
    );
    await Promise.all(waits);
  }

  return async (network, caller) => {
    await readMissing(network, caller);
    const readings = await known(network);
    for (const { address, reading } of readings)
      if (reading && observed.isStale(reading.at)) void observed.request({ network, address });
    return offeredOf(
      readings.map(({ address, reading }) => [address, reading?.data ?? null]),
      trustedPools[network],
    );
  };
}

/** @param readings in the order in which they are offered */
export function offeredOf(
  readings: readonly (readonly [string, { readonly enabled: boolean } | null])[],
  trusted: readonly string[],
): OfferedPools {
  const offered = readings.filter(([address, pool]) => pool !== null || trusted.includes(address));
  const [recommended] = offered.find(([, pool]) => pool?.enabled) ?? offered[0] ?? [null];
  return { pools: offered.map(([address]) => address), recommended };
}
