import type { Logger } from 'pino';
import type { SolanaNetwork, TonNetwork } from '../../contracts/network';
import type { Config } from '../program/config';
import type { Networks } from '../program/networks';
import { solanaEconomy, type SolanaEconomyDescription } from './solana/economy/economy';
import { tonEconomy, type TonEconomyDescription } from './ton/economy/economy';

/** What there is to play with on each local network, filled in as the accounts come into being. */
export interface LocalEconomy {
  readonly ton: ReadonlyMap<TonNetwork, TonEconomyDescription>;
  readonly solana: ReadonlyMap<SolanaNetwork, SolanaEconomyDescription>;
  readonly stopped: Promise<unknown>;
}

/** Peoples the local networks, beside the start of the program and not before it. */
export function openLocalEconomy(
  { LOCAL_ECONOMY }: Pick<Config, 'LOCAL_ECONOMY'>,
  { local }: Networks,
  logger: Logger,
  signal: AbortSignal,
): LocalEconomy {
  const ton = new Map<TonNetwork, TonEconomyDescription>();
  const solana = new Map<SolanaNetwork, SolanaEconomyDescription>();
  const running = LOCAL_ECONOMY
    ? [
        ...[...local.ton].map(async ([network, { url, faucet: grant }]) => {
          const economy = await tonEconomy({ network, url, grant, logger }, signal);
          ton.set(network, economy.description);
          await economy.running;
        }),
        ...[...local.solana].map(async ([network, { url, wsUrl }]) => {
          const economy = await solanaEconomy({ network, url, wsUrl, logger }, signal);
          solana.set(network, economy.description);
          await economy.running;
        }),
      ]
    : [];
  for (const each of running)
    each.catch((error: unknown) => {
      if (!signal.aborted) logger.error({ err: error }, 'a local economy ended');
    });
  return { ton, solana, stopped: Promise.allSettled(running) };
}
