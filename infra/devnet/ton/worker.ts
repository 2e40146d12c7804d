import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import type { Call, Commands, Reply } from './commands';
import { type Node, startNode } from './node';

type Handlers = {
  readonly [Command in keyof Commands]: (
    ...parameters: Parameters<Commands[Command]>
  ) => Promise<ReturnType<Commands[Command]>>;
};

/** Runs nodes for the thread at the other end of the port. */
function serveCommands(port: MessagePort, level: string): void {
  const reply = (message: Reply): void => port.postMessage(message);
  const logger = pino({ level, base: null, timestamp: false }, { write: log => reply({ log }) });
  const nodes = new Map<number, Node>();
  let started = 0;
  const running = (number: number): Node => {
    const node = nodes.get(number);
    if (!node) throw new Error('the network is closed');
    return node;
  };

  const handlers: Handlers = {
    async start(options) {
      const node = await startNode(options, logger.child({ network: options.network }));
      nodes.set(++started, node);
      return { node: started, port: node.port };
    },
    give: async (number, address, nanotons) => running(number).give(address, nanotons),
    advanceTime: async (number, seconds) => running(number).advanceTime(seconds),
    async simulate(number, step, ...parameters) {
      const act = running(number).simulation[step] as (...given: readonly unknown[]) => unknown;
      return act(...parameters);
    },
    async close(number) {
      const node = running(number);
      nodes.delete(number);
      await node.close();
    },
  };

  port.on('message', ({ id, command, parameters }: Call) => {
    const handle = handlers[command] as (...given: readonly unknown[]) => Promise<unknown>;
    handle(...parameters).then(
      result => reply({ id, result }),
      (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
}

serveCommands(parentPort!, (workerData as { level: string }).level);
