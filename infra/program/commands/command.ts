import type { Command } from 'commander';
import type { Config } from '../../config/settings';

/** Keys in the data folder, which a command uses also where the engines are servers, and does not make. */
export interface KeysOfCommand {
  /** Where it is set the keys come from elsewhere. */
  readonly setting?: string;
  /** That it cannot do without, in the folder `keys`. Default: any. */
  readonly file?: string;
}

export const PERSONAL_TEXT_KEYS: KeysOfCommand = { setting: 'ERASURE_MASTER_KEY', file: 'erasure' };

/** The sections of the help, in its order. */
export const COMMAND_SECTIONS = ['Run', 'Data', 'Billing', 'Proofs', 'Privacy and audit', 'Wallets'] as const;

/** Makes a command from a function that reads the settings. */
export type MakeCommand = (config: () => Config) => Command;

/** A command of `tidemark`. What it needs is loaded only when it runs, so that help is there at once. */
export interface CommandEntry {
  readonly name: string;
  readonly section: (typeof COMMAND_SECTIONS)[number];
  /** In the list of commands. */
  readonly summary: string;
  /** Command lines of it, without `tidemark`. */
  readonly examples: readonly string[];
  /** Runs where no program has ever run, and may create its data. */
  readonly createsData?: boolean;
  readonly keys?: KeysOfCommand;
  load(): Promise<MakeCommand>;
}
