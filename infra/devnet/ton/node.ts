import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Address } from '@ton/core';
import type { Logger } from 'pino';
import type { TonNetwork } from '../../../contracts/network';
import { openChain } from './chain/chain';
import type { GenesisAccount } from './chain/genesis';
import { openLedger } from './chain/ledger';
import type { Simulation } from './chain/simulation';
import { openTvm } from './chain/tvm';
import { type Gift, createFaucet } from './faucet';
import { serve } from './http/server';

export interface NodeOptions {
  readonly network: TonNetwork;
  /** Folder of the network's database; made when missing. */
  readonly dataDir: string;
  /** Address to listen on. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Time between blocks when nothing happens; a message waits 50 ms for one at most. */
  readonly blockIntervalMs: number;
  /** Contracts at addresses that nobody could deploy to, such as the elector; placed when they are not there yet. */
  readonly accounts: readonly GenesisAccount[];
}

/** A network that runs in this thread. */
export interface Node {
  readonly port: number;
  readonly simulation: Simulation;
  /** Sends coins to an address in either form. */
  give(address: string, nanotons: bigint): Promise<Gift>;
  advanceTime(seconds: number): Promise<number>;
  close(): Promise<void>;
}

/** Opens or goes on with the network of a folder, and serves it. */
export async function startNode(options: NodeOptions, logger: Logger): Promise<Node> {
  const { network, dataDir, host, port, blockIntervalMs, accounts } = options;
  mkdirSync(dataDir, { recursive: true });
  const ledger = openLedger(join(dataDir, `ton-${network}.sqlite`));
  const tvm = await openTvm(error => logger.warn({ err: error }, 'the virtual machine trapped'));
  const now = Date.now;
  const chain = openChain({ network, ledger, tvm, blockIntervalMs, accounts, now, logger });
  const faucet = createFaucet(chain);
  const stop = new AbortController();
  // From the first answer on there is a block of the present.
  const firstBlock = chain.simulation.produceBlock();
  const running = chain.run(stop.signal);
  const stopChain = async (): Promise<void> => {
    stop.abort();
    await running;
    ledger.close();
  };
  await firstBlock;
  const server = await serve({ chain, tvm, faucet, host, port, now, logger }).catch(async error => {
    await stopChain();
    throw error;
  });
  logger.info({ port: server.port, seqno: chain.tip().seqno }, 'local TON network is up');

  return {
    port: server.port,
    simulation: chain.simulation,
    give: async (address, nanotons) => faucet.give(Address.parse(address).toRawString(), nanotons),
    advanceTime: chain.advanceTime,
    async close() {
      await server.close();
      await stopChain();
    },
  };
}
