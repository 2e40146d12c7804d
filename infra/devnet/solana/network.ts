import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { SolanaNetwork } from '../../../contracts/network/network';
import { allowHosts } from '../../config/allowed-hosts';
import { createAccounts } from './chain/accounts';
import { type Chain, createChain } from './chain/chain';
import { createEngine } from './svm/engine';
import { createFaucet } from './genesis/faucet';
import { createGenesis, FAUCET } from './genesis/genesis';
import { createTransactionProcessor } from './chain/transaction-processor';
import { createHub } from './pubsub/hub';
import { createCalls } from './rpc/dispatch';
import type { Node } from './rpc/method';
import { startServer } from './rpc/server';
import { openStore } from './chain/store';
import { findLive } from './chain/unfinalized';
import { parseTransaction } from './svm/wire';

export interface NetworkSettings {
  readonly dataDir: string;
  readonly network: SolanaNetwork;
  readonly host: string;
  /** The HTTP port; the next one is the WebSocket's. 0 for any free pair. */
  readonly port: number;
  /** Milliseconds from one slot to the next; 0 when slots pass only by `advance`. */
  readonly slotMs: number;
  /** Milliseconds from one slot to the next while no transaction waits to be finalized. */
  readonly quietSlotMs: number;
  readonly skipEvery: number;
  readonly confirmedAfter: number;
  readonly finalizedAfter: number;
  readonly keepSlots: number;
  readonly slotsPerEpoch: number;
  /** Names under which it may be asked, and whose pages may ask, beside those of this machine. */
  readonly allowedHosts: readonly string[];
}

export interface ForkReport {
  /** The newest slot that both histories share. */
  readonly sharedSlot: number;
  readonly droppedSlots: readonly number[];
  /** Signatures of the dropped blocks, in order of execution. */
  readonly droppedSignatures: readonly string[];
  /** Those of them that are in the new history: a transaction whose blockhash is of a dropped block cannot be. */
  readonly includedAgain: readonly string[];
}

/** A local network in this thread. */
export interface LocalNetwork {
  readonly port: number;
  readonly genesisHash: string;
  /** @returns the signature of the transfer, durable by then */
  airdrop(address: string, lamports: bigint): Promise<string>;
  advance(slots: number): void;
  /** The next slots, so many, have no block. */
  skip(slots: number): void;
  fork(blocks: number, replay: boolean): Promise<ForkReport>;
  close(): Promise<void>;
}

export async function openNetwork(settings: NetworkSettings, logger: Logger): Promise<LocalNetwork> {
  mkdirSync(settings.dataDir, { recursive: true });
  const store = openStore(join(settings.dataDir, `solana-${settings.network}.sqlite`));
  const engine = createEngine(settings.slotsPerEpoch);
  const genesis = () => createGenesis(settings.network, engine, Date.now());
  const onWriteFailure = (error: unknown): void =>
    logger.error({ err: error }, 'local network write failed, retrying');
  const chain = createChain({ ...settings, store, engine, genesis, now: Date.now, onWriteFailure });
  const accounts = createAccounts(chain, engine);
  const processor = createTransactionProcessor(chain, engine);
  const faucet = createFaucet(FAUCET, chain, processor);
  let rpcAddress: string | null = null;
  const node: Node = { chain, engine, accounts, processor, faucet, rpcAddress: () => rpcAddress };
  const server = await startServer(createCalls(node, logger), createHub(node), {
    ...settings,
    isAllowed: allowHosts(settings.allowedHosts),
  });
  rpcAddress = `${settings.host}:${server.port}`;
  const clock = settings.slotMs > 0 ? setInterval(slotClock(chain, settings), settings.slotMs) : undefined;

  return {
    port: server.port,
    genesisHash: chain.genesisHash,
    airdrop: faucet.airdrop,
    advance: slots => {
      for (let slot = 0; slot < slots; slot += 1) chain.advance();
    },
    skip: chain.skip,
    fork: async (blocks, replay) => {
      const { sharedSlot, slots, transactions } = chain.fork(blocks);
      if (replay) for (const { wire } of transactions) await processor.submit(parseTransaction(wire), true);
      const isIncluded = (signature: string): boolean => findLive(chain.unfinalized, signature) !== null;
      return {
        sharedSlot,
        droppedSlots: slots,
        droppedSignatures: transactions.map(({ signature }) => signature),
        includedAgain: transactions.map(({ signature }) => signature).filter(isIncluded),
      };
    },
    close: async () => {
      clearInterval(clock);
      await server.close();
      chain.flush();
      store.close();
    },
  };
}

/** Call it every `slotMs`. A slot costs everybody who follows the chain something; nobody waits for one in which nothing happens. */
function slotClock(chain: Chain, { slotMs, quietSlotMs }: NetworkSettings): () => void {
  let quietMs = 0;
  return () => {
    const isQuiet = chain.unfinalized.blocks.every(({ transactions }) => transactions.size === 0);
    quietMs += slotMs;
    if (isQuiet && quietMs < quietSlotMs) return;
    quietMs = 0;
    chain.advance();
  };
}
