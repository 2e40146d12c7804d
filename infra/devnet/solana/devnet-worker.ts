import { serveWorkerThread } from '../../engines/worker-thread/serve-worker-thread';
import { createWorkerLogger } from '../../engines/worker-thread/worker-logger';
import type { DevnetMethods } from './devnet-thread';
import { type LocalNetwork, openNetwork } from './network';

serveWorkerThread<DevnetMethods, string, string>(({ data: level, notify }) => {
  const logger = createWorkerLogger(level, notify);
  let network: LocalNetwork | null = null;
  const opened = (): LocalNetwork => {
    if (!network) throw new Error('the network is not open');
    return network;
  };
  return {
    methods: {
      async open(settings) {
        network = await openNetwork(settings, logger);
        return { port: network.port, genesisHash: network.genesisHash };
      },
      airdrop: (address, lamports) => opened().airdrop(address, lamports),
      advance: slots => opened().advance(slots),
      skip: slots => opened().skip(slots),
      fork: (blocks, replay) => opened().fork(blocks, replay),
    },
    close: () => network?.close(),
  };
});
