import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { type LocalNetwork, openNetwork } from './network';
import type { Command, CommandResults, FromWorker, ToWorker, WorkerSettings } from './protocol';

/** The thread of one local network: engine, store and servers, away from the event loop that answers users. */
const port = parentPort!;
const tell = (message: FromWorker): void => port.postMessage(message);

const perform = async (
  network: LocalNetwork,
  command: Command,
): Promise<CommandResults[keyof CommandResults]> => {
  switch (command.do) {
    case 'airdrop':
      return network.airdrop(command.address, command.lamports);
    case 'advance':
      network.advance(command.slots);
      return undefined;
    case 'fork':
      return network.fork(command.blocks, command.replay);
    case 'close':
      await network.close();
      return undefined;
  }
};

const main = async ({ logLevel, ...settings }: WorkerSettings): Promise<void> => {
  const logger = pino(
    { level: logLevel, base: null, timestamp: false },
    { write: line => tell({ is: 'log', line }) },
  );
  const network = await openNetwork(settings, logger);
  port.on('message', ({ id, command }: ToWorker) => {
    perform(network, command).then(
      result => {
        tell({ is: 'done', id, result });
        if (command.do === 'close') port.close();
      },
      (error: unknown) =>
        tell({ is: 'failed', id, reason: error instanceof Error ? error.message : String(error) }),
    );
  });
  tell({ is: 'ready', port: network.port, genesisHash: network.genesisHash });
};

void main(workerData as WorkerSettings);
