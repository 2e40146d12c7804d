import { serveWorkerThread } from '../../engines/worker-thread/serve-worker-thread';
import { createWorkerLogger } from '../../engines/worker-thread/worker-logger';
import type { DevnetMethods } from './devnet-thread';
import { type LocalNetwork, openNetwork } from './network';

serveWorkerThread<DevnetMethods, string, string>(({ data: level, notify }) => {
  const logger = createWorkerLogger(level, notify);
  const networks = new Map<number, LocalNetwork>();
  let opened = 0;
  const running = (node: number): LocalNetwork => {
    const network = networks.get(node);
    if (!network) throw new Error('the network is closed');
    return network;
  };

  return {
    methods: {
      async open(settings) {
        const network = await openNetwork(
          settings,
          logger.child({ localNetwork: `solana-${settings.network}` }),
        );
        networks.set(++opened, network);
        return { node: opened, port: network.port, genesisHash: network.genesisHash };
      },
      airdrop: (node, address, lamports) => running(node).airdrop(address, lamports),
      advance: (node, slots) => running(node).advance(slots),
      skip: (node, slots) => running(node).skip(slots),
      fork: (node, blocks, replay) => running(node).fork(blocks, replay),
      async close(node) {
        const network = running(node);
        networks.delete(node);
        await network.close();
      },
    },
  };
});
