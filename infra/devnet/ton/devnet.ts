import type { Logger } from 'pino';
import { type DevnetThread, openDevnetThread } from '../devnet-thread';
import { reachableHost } from '../../config/reachable-host';
import type { GenesisAccount } from './chain/genesis';
import type { Simulation } from './chain/simulation';
import type { FaucetGrant } from './faucet';
import type { NodeOptions } from './node';

export interface TonDevnetOptions extends Pick<NodeOptions, 'network' | 'dataDir' | 'host'> {
  /** Default: a free one. */
  readonly port?: number;
  /** Default: 1,000. */
  readonly blockIntervalMs?: number;
  readonly accounts?: readonly GenesisAccount[];
  /** Names under which it may be asked, and whose pages may ask, beside those of this machine; default: none. */
  readonly allowedHosts?: readonly string[];
  readonly logger: Logger;
  /** A thread shared with other networks; default: one of its own. */
  readonly thread?: DevnetThread;
}

/** A local TON network: real contracts on the real virtual machine, one node, coins without value. */
export interface TonDevnet {
  /**
   * Base URL of the HTTP API v4, for `TonClient4`. Beside it are `POST /faucet {address, amount}`, and blocks under `/v2/liteserver`.
   */
  readonly url: string;
  /**
   * Sends nanotons to an address in either form. Resolves once the faucet's transaction is stored.
   * @param extra smallest units of `EXTRA_CURRENCY`; default: none
   */
  faucet(address: string, nanotons: bigint, extra?: bigint): Promise<FaucetGrant>;
  /** Moves the chain's clock ahead permanently. Resolves with the utime of the first block after that. */
  advanceTime(seconds: number): Promise<number>;
  /** The same, and the elector and the pools do on the way what is due in the last rounds of it. */
  passTime(seconds: number): Promise<number>;
  readonly simulation: Asynchronous<Simulation>;
  /** Stores the current block and stops, once however often it is called. */
  close(): Promise<void>;
}

type Asynchronous<T extends Record<keyof T, (...parameters: never[]) => unknown>> = {
  readonly [Key in keyof T]: (...parameters: Parameters<T[Key]>) => Promise<Awaited<ReturnType<T[Key]>>>;
};

/** Starts the network of a data folder, new or existing, in a worker thread. */
export async function startTonDevnet(options: TonDevnetOptions): Promise<TonDevnet> {
  const {
    network,
    dataDir,
    host,
    port = 0,
    blockIntervalMs = 1_000,
    accounts = [],
    allowedHosts = [],
    logger,
  } = options;
  const thread = options.thread ?? openDevnetThread(logger);
  const started = await thread
    .call('startTon', { network, dataDir, host, port, blockIntervalMs, accounts, allowedHosts })
    .catch(async (error: unknown) => {
      if (!options.thread) await thread.close();
      throw error;
    });
  const { node } = started;
  const step =
    <Key extends keyof Simulation>(key: Key): Asynchronous<Simulation>[Key] =>
    (...parameters: unknown[]) =>
      thread.call('simulate', node, key, ...parameters) as never;

  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await thread.call('closeTon', node);
    if (!options.thread) await thread.close();
  };

  return {
    url: `http://${reachableHost(host)}:${started.port}`,
    faucet: (address, nanotons, extra) => thread.call('grant', node, address, nanotons, extra),
    advanceTime: seconds => thread.call('advanceTime', node, seconds),
    passTime: seconds => thread.call('passTime', node, seconds),
    simulation: {
      pause: step('pause'),
      resume: step('resume'),
      produceBlock: step('produceBlock'),
      splitShards: step('splitShards'),
      mergeShards: step('mergeShards'),
      rollbackTo: step('rollbackTo'),
    },
    close: () => (closed ??= close()),
  };
}
