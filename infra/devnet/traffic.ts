import { join } from 'node:path';
import type { Logger } from 'pino';
import { retryForever } from '../../contracts/retry/retry';
import type { SolanaNetwork, TonNetwork } from '../../contracts/network/network';
import { MEBIBYTE } from '../config/bytes';
import { NETWORKS_FOLDER } from '../config/data-dir';
import type { Config } from '../config/settings';
import { folderSize } from './folder-size';
import type { LocalNetworks } from './local-networks';
import { startSolanaTraffic, type SolanaDevnetDescription } from './solana/traffic/traffic';
import { startTonTraffic, type TonDevnetDescription } from './ton/traffic/traffic';

/** Descriptions of the local networks, each added when its accounts exist. */
export interface LocalTraffic {
  readonly ton: ReadonlyMap<TonNetwork, TonDevnetDescription>;
  readonly solana: ReadonlyMap<SolanaNetwork, SolanaDevnetDescription>;
  readonly stopped: Promise<unknown>;
}

/**
 * Seeds the local networks and starts their traffic, without delaying the start of the program.
 * @param onTonSeeded called for each network once its accounts and tokens exist
 */
export function startLocalTraffic(
  { DATA_DIR, LOCAL_TRAFFIC, LOCAL_TRAFFIC_MEBIBYTES }: Config,
  local: LocalNetworks,
  logger: Logger,
  signal: AbortSignal,
  onTonSeeded: (seeded: TonDevnetDescription) => Promise<void>,
): LocalTraffic {
  const ton = new Map<TonNetwork, TonDevnetDescription>();
  const solana = new Map<SolanaNetwork, SolanaDevnetDescription>();
  const mayGrow = (): boolean =>
    folderSize(join(DATA_DIR, NETWORKS_FOLDER)) < LOCAL_TRAFFIC_MEBIBYTES * MEBIBYTE;
  // An attempt that fails ends what it has begun.
  const untilSignal = (run: (attempt: AbortSignal) => Promise<unknown>): Promise<void> =>
    retryForever(
      async () => {
        const attempt = new AbortController();
        try {
          await run(AbortSignal.any([signal, attempt.signal]));
        } finally {
          attempt.abort();
        }
      },
      { signal, onError: error => logger.error({ err: error }, 'local traffic failed; it starts again') },
    );
  const running = LOCAL_TRAFFIC
    ? [
        ...[...local.ton].map(([network, { url, faucet: fund }]) =>
          untilSignal(async attempt => {
            const traffic = await startTonTraffic({ network, url, fund, mayGrow, logger }, attempt);
            ton.set(network, traffic.description);
            await Promise.all([onTonSeeded(traffic.description), traffic.running]);
          }),
        ),
        ...[...local.solana].map(([network, { url, wsUrl }]) =>
          untilSignal(async attempt => {
            const traffic = await startSolanaTraffic({ network, url, wsUrl, mayGrow, logger }, attempt);
            solana.set(network, traffic.description);
            await traffic.running;
          }),
        ),
      ]
    : [];
  return { ton, solana, stopped: Promise.allSettled(running) };
}
