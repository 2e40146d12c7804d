import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Address } from '@ton/core';
import type { Logger } from 'pino';
import type { TonNetwork } from '../../../contracts/network/network';
import { allowHosts } from '../../config/allowed-hosts';
import { openChain } from './chain/chain';
import type { GenesisAccount } from './chain/genesis';
import { openLedger } from './chain/ledger';
import type { Simulation } from './chain/simulation';
import { openTvm } from '../../engines/tvm/tvm';
import { keepElections } from './elections/keeper';
import { type FaucetGrant, createFaucet } from './faucet';
import type { GetMethods } from './get-method-thread';
import { serve } from './http/server';
import { passTimeOf } from './pass-time';
import { controlPools } from './staking/controller';

export interface NodeOptions {
  readonly network: TonNetwork;
  /** Folder of the network's database; created when missing. */
  readonly dataDir: string;
  /** Address to listen on. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Time between empty blocks; a message waits 50 ms for its block at most. */
  readonly blockIntervalMs: number;
  /** Contracts at addresses that cannot be deployed to; created when missing. */
  readonly accounts: readonly GenesisAccount[];
  /** Names under which it may be asked, and whose pages may ask, beside those of this machine. */
  readonly allowedHosts: readonly string[];
}

/** A network that runs in this thread. */
export interface Node {
  readonly port: number;
  readonly simulation: Simulation;
  /** Sends coins, and units of the extra currency, to an address in either form. */
  grant(address: string, nanotons: bigint, extra?: bigint): Promise<FaucetGrant>;
  advanceTime(seconds: number): Promise<number>;
  passTime(seconds: number): Promise<number>;
  close(): Promise<void>;
}

/** Opens or creates the network of a folder, and serves it. */
export async function startNode(options: NodeOptions, getMethods: GetMethods, logger: Logger): Promise<Node> {
  const { network, dataDir, host, port, blockIntervalMs, accounts, allowedHosts } = options;
  mkdirSync(dataDir, { recursive: true });
  const ledger = openLedger(join(dataDir, `ton-${network}.sqlite`));
  const tvm = await openTvm(error => logger.warn({ err: error }, 'TON virtual machine trapped'));
  const now = Date.now;
  const chain = openChain({ network, ledger, tvm, blockIntervalMs, accounts, now, logger });
  const faucet = createFaucet(chain);
  keepElections(chain, logger);
  const poolsControlled = controlPools(chain, logger);
  const stop = new AbortController();
  // The first response already has a current block.
  const firstBlock = chain.simulation.produceBlock();
  const running = chain.run(stop.signal);
  const stopChain = async (): Promise<void> => {
    stop.abort();
    await running;
    await poolsControlled();
    ledger.close();
  };
  await firstBlock;
  const server = await serve({
    chain,
    getMethods,
    faucet,
    host,
    port,
    now,
    logger,
    isAllowed: allowHosts(allowedHosts),
  }).catch(async error => {
    await stopChain();
    throw error;
  });
  logger.info({ port: server.port, seqno: chain.tip().seqno }, 'local TON network started');

  return {
    port: server.port,
    simulation: chain.simulation,
    grant: async (address, nanotons, extra) =>
      faucet.grant(Address.parse(address).toRawString(), nanotons, extra),
    advanceTime: chain.advanceTime,
    passTime: passTimeOf(chain, poolsControlled),
    async close() {
      await server.close();
      await stopChain();
    },
  };
}
