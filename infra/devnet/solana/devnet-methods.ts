import type { Logger } from 'pino';
import type { Handlers } from '../../engines/worker-thread/serve-worker-thread';
import { RunningNodes } from '../running-nodes';
import type { ForkReport, LocalNetwork, NetworkSettings } from './network';

type Opened = Pick<LocalNetwork, 'port' | 'genesisHash'>;

/** A node is identified by the number that `openSolana` returned. */
export interface SolanaDevnetMethods {
  openSolana(settings: NetworkSettings): Opened & { readonly node: number };
  airdrop(node: number, address: string, lamports: bigint): string;
  advanceSlots(node: number, slots: number): void;
  skipSlots(node: number, slots: number): void;
  fork(node: number, blocks: number, replay: boolean): ForkReport;
  closeSolana(node: number): void;
}

/** The thread's side of local Solana networks. */
export function solanaDevnetMethods(logger: Logger): Handlers<SolanaDevnetMethods> {
  const networks = new RunningNodes<LocalNetwork>();
  return {
    async openSolana(settings) {
      // A thread without a network of Solana does not load its virtual machine.
      const { openNetwork } = await import('./network.js');
      const network = await openNetwork(
        settings,
        logger.child({ localNetwork: `solana-${settings.network}` }),
      );
      return { node: networks.add(network), port: network.port, genesisHash: network.genesisHash };
    },
    airdrop: (node, address, lamports) => networks.get(node).airdrop(address, lamports),
    advanceSlots: (node, slots) => networks.get(node).advance(slots),
    skipSlots: (node, slots) => networks.get(node).skip(slots),
    fork: (node, blocks, replay) => networks.get(node).fork(blocks, replay),
    closeSolana: node => networks.close(node),
  };
}
