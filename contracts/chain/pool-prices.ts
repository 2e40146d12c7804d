import type { TonNetwork } from '../network/network';
import type { NewJob } from '../ports/jobs';

/** A jetton by its master (raw). */
export type Jetton = { readonly network: TonNetwork; readonly master: string };

/** The queue of the jettons of a network whose prices are read from pools. */
export function poolPriceQueue(network: TonNetwork): string {
  return `pool-prices-${network}`;
}

/** Between two reads of the pools of a jetton. */
const MIN_AGE_MS = 30_000;

/** Reads the price of a jetton from its pools, unless that was done a moment ago. */
export function poolPriceJob({ network, master }: Jetton): NewJob {
  return {
    queue: poolPriceQueue(network),
    id: `${network}/${master}`,
    data: { network, master },
    attempts: 3,
    backoffMs: 500,
    keepIdMs: MIN_AGE_MS,
  };
}
