import type { ForkReport, LocalNetwork, NetworkSettings } from './network';

/** What the thread of a network is started with. */
export interface WorkerSettings extends NetworkSettings {
  readonly logLevel: string;
}

/** What the thread is asked to do; one answer each. */
export type Command =
  | { readonly do: 'airdrop'; readonly address: string; readonly lamports: bigint }
  | { readonly do: 'advance'; readonly slots: number }
  | { readonly do: 'fork'; readonly blocks: number; readonly replay: boolean }
  | { readonly do: 'close' };

export interface CommandResults {
  airdrop: string;
  advance: undefined;
  fork: ForkReport;
  close: undefined;
}

export interface ToWorker {
  readonly id: number;
  readonly command: Command;
}

export type Ready = Pick<LocalNetwork, 'port' | 'genesisHash'>;

export type FromWorker =
  | ({ readonly is: 'ready' } & Ready)
  | { readonly is: 'log'; readonly line: string }
  | { readonly is: 'done'; readonly id: number; readonly result: CommandResults[keyof CommandResults] }
  | { readonly is: 'failed'; readonly id: number; readonly reason: string };
