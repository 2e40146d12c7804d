import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { TonNetwork } from '../../contracts/network';

export interface Outages {
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
export function createOutages(now: () => number): Outages {
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
