import type { Logger } from 'pino';
import type { Handlers } from '../../engines/worker-thread/serve-worker-thread';
import { RunningNodes } from '../running-nodes';
import type { Simulation } from './chain/simulation';
import type { FaucetGrant } from './faucet';
import { openGetMethods } from './get-method-thread';
import type { Node, NodeOptions } from './node';

/** A node is identified by the number that `startTon` returned. */
export interface TonDevnetMethods {
  startTon(options: NodeOptions): { readonly node: number; readonly port: number };
  grant(node: number, address: string, nanotons: bigint, extra?: bigint): FaucetGrant;
  advanceTime(node: number, seconds: number): number;
  passTime(node: number, seconds: number): number;
  /** Returns the result of the step. */
  simulate(node: number, step: keyof Simulation, ...parameters: readonly unknown[]): unknown;
  closeTon(node: number): void;
}

/** The thread's side of local TON networks. */
export function tonDevnetMethods(logger: Logger): Handlers<TonDevnetMethods> {
  const nodes = new RunningNodes<Node>();
  const getMethods = openGetMethods(logger);
  return {
    async startTon(options) {
      // A thread without a network of TON does not load its virtual machine.
      const { startNode } = await import('./node.js');
      const node = await startNode(options, getMethods, logger.child({ network: options.network }));
      return { node: nodes.add(node), port: node.port };
    },
    grant: (number, address, nanotons, extra) => nodes.get(number).grant(address, nanotons, extra),
    advanceTime: (number, seconds) => nodes.get(number).advanceTime(seconds),
    passTime: (number, seconds) => nodes.get(number).passTime(seconds),
    simulate(number, step, ...parameters) {
      const act = nodes.get(number).simulation[step] as (...given: readonly unknown[]) => unknown;
      return act(...parameters);
    },
    closeTon: number => nodes.close(number),
  };
}
