import { serveWorkerThread } from '../../engines/worker-thread/serve-worker-thread';
import { createWorkerLogger } from '../../engines/worker-thread/worker-logger';
import type { DevnetMethods } from './devnet-thread';
import { type Node, startNode } from './node';

serveWorkerThread<DevnetMethods, string, string>(({ data: level, notify }) => {
  const logger = createWorkerLogger(level, notify);
  const nodes = new Map<number, Node>();
  let started = 0;
  const running = (number: number): Node => {
    const node = nodes.get(number);
    if (!node) throw new Error('the network is closed');
    return node;
  };

  return {
    methods: {
      async start(options) {
        const node = await startNode(options, logger.child({ network: options.network }));
        nodes.set(++started, node);
        return { node: started, port: node.port };
      },
      grant: (number, address, nanotons, extra) => running(number).grant(address, nanotons, extra),
      advanceTime: (number, seconds) => running(number).advanceTime(seconds),
      simulate(number, step, ...parameters) {
        const act = running(number).simulation[step] as (...given: readonly unknown[]) => unknown;
        return act(...parameters);
      },
      async close(number) {
        const node = running(number);
        nodes.delete(number);
        await node.close();
      },
    },
  };
});
