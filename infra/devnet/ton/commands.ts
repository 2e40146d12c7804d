import type { Simulation } from './chain/simulation';
import type { Gift } from './faucet';
import type { NodeOptions } from './node';

/** What a thread can be asked to do; nodes are known by the number `start` gave them. */
export interface Commands {
  start(options: NodeOptions): { readonly node: number; readonly port: number };
  give(node: number, address: string, nanotons: bigint): Gift;
  advanceTime(node: number, seconds: number): number;
  /** Answers with what the step resolves with. */
  simulate(node: number, step: keyof Simulation, ...parameters: readonly unknown[]): unknown;
  close(node: number): void;
}

export interface Call {
  readonly id: number;
  readonly command: keyof Commands;
  readonly parameters: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  /** A line of pino's. */
  | { readonly log: string };
