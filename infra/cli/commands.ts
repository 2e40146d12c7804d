import type { Command } from 'commander';
import type { KeysOfCommand } from './existing-data';

/** Makes a command from a function that reads the settings. */
export type MakeCommand = (config: () => never) => Command;

/** A command of `tidemark`. What it needs is loaded only when it runs, so that help is there at once. */
export interface CommandEntry {
  readonly name: string;
  /** In the list of commands. */
  readonly summary: string;
  /** Runs where no program has ever run, and may create its data. */
  readonly createsData?: boolean;
  readonly keys?: KeysOfCommand;
  load(): Promise<MakeCommand>;
}

interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

/** The commands, as the help lists them. Paths are through a folder: jest finds the source of such `import()`s alone. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Run',
    commands: [
      {
        name: 'start',
        summary: 'run everything in this process, with embedded engines and local networks by default',
        createsData: true,
        load: async () => (await import('../cli/start.js')).startCommand,
      },
      {
        name: 'run',
        summary: 'run some roles in this process, on engines shared with other processes',
        createsData: true,
        load: async () => (await import('../cli/run.js')).runCommand,
      },
      {
        name: 'status',
        summary: 'show whether the program runs, what is behind and what is wrong',
        load: async () => (await import('../cli/status.js')).statusCommand,
      },
      {
        name: 'demo',
        summary: 'fill an empty ledger with a demonstration, in the running program',
        keys: 'tokens',
        load: async () => (await import('../cli/demo.js')).demoCommand,
      },
      {
        name: 'token',
        summary: 'issue an access token',
        keys: 'tokens',
        load: async () => (await import('../cli/token.js')).tokenCommand,
      },
    ],
  },
  {
    title: 'Data',
    commands: [
      {
        name: 'backup',
        summary: 'copy the data folder while the program runs',
        load: async () => (await import('../cli/backup.js')).backupCommand,
      },
      {
        name: 'reset',
        summary: 'delete all data of the embedded engines',
        load: async () => (await import('../cli/reset.js')).resetCommand,
      },
      {
        name: 'rebuild',
        summary: 'rebuild a projection next to the live one, compare them and switch',
        load: async () => (await import('../cli/rebuild.js')).rebuildCommand,
      },
      {
        name: 'replay',
        summary: 'write the state of the ledger as of an earlier moment',
        load: async () => (await import('../cli/replay.js')).replayCommand,
      },
      {
        name: 'migrate',
        summary: 'copy all data from the embedded engines to servers, or back',
        createsData: true,
        load: async () => (await import('../cli/migrate.js')).migrateCommand,
      },
      {
        name: 'networks',
        summary: 'compare the stored chain data with its sources',
        load: async () => (await import('../cli/networks.js')).networksCommand,
      },
      {
        name: 'dead-letters',
        summary: 'list and replay transactions that could not be decoded',
        load: async () => (await import('../cli/dead-letters.js')).deadLettersCommand,
      },
    ],
  },
  {
    title: 'Billing',
    commands: [
      {
        name: 'fees',
        summary: 'import, list and show fees',
        keys: 'erasure',
        load: async () => (await import('../cli/fees.js')).feesCommand,
      },
      {
        name: 'revenue',
        summary: 'show the revenue of a period',
        keys: 'erasure',
        load: async () => (await import('../cli/revenue.js')).revenueCommand,
      },
      {
        name: 'invoices',
        summary: 'list invoices',
        keys: 'erasure',
        load: async () => (await import('../cli/invoices.js')).invoicesCommand,
      },
      {
        name: 'settlements',
        summary: 'list and void settlements with merchants',
        keys: 'erasure',
        load: async () => (await import('../cli/settlements.js')).settlementsCommand,
      },
      {
        name: 'merchants',
        summary: 'name merchants',
        load: async () => (await import('../cli/merchants.js')).merchantsCommand,
      },
      {
        name: 'rebates',
        summary: 'set the rebates that merchants get on their fees',
        load: async () => (await import('../cli/rebates.js')).rebatesCommand,
      },
    ],
  },
  {
    title: 'Proofs',
    commands: [
      {
        name: 'verify',
        summary: 'check the ledger against its Merkle tree and signed checkpoints',
        keys: 'ledger',
        load: async () => (await import('../cli/verify.js')).verifyCommand,
      },
      {
        name: 'proof',
        summary: 'write proofs that others can verify without this program',
        keys: 'ledger',
        load: async () => (await import('../cli/proof.js')).proofCommand,
      },
      {
        name: 'export',
        summary: 'write all events of the ledger as JSON lines',
        load: async () => (await import('../cli/export.js')).exportCommand,
      },
      {
        name: 'keys',
        summary: 'list and rotate the keys that sign proofs',
        keys: 'ledger',
        load: async () => (await import('../cli/keys.js')).keysCommand,
      },
    ],
  },
  {
    title: 'Privacy and audit',
    commands: [
      {
        name: 'erase',
        summary: 'make all personal texts of a person unreadable, permanently',
        keys: 'erasure',
        load: async () => (await import('../cli/erase.js')).eraseCommand,
      },
      {
        name: 'erasures',
        summary: 'list erasures',
        load: async () => (await import('../cli/erase.js')).erasuresCommand,
      },
      {
        name: 'audit',
        summary: 'show who changed what in billing',
        keys: 'erasure',
        load: async () => (await import('../cli/audit.js')).auditCommand,
      },
    ],
  },
  {
    title: 'Wallets',
    commands: [
      {
        name: 'config',
        summary: 'publish the app configuration that wallets read',
        load: async () => (await import('../cli/config.js')).configCommand,
      },
      {
        name: 'tokens',
        summary: 'mark TON tokens as trusted or fraudulent',
        load: async () => (await import('../cli/tokens.js')).tokensCommand,
      },
      {
        name: 'rates',
        summary: 'show prices, their ages and their sources',
        load: async () => (await import('../cli/rates.js')).ratesCommand,
      },
      {
        name: 'domains',
        summary: 'list domains that wallets open without a warning',
        load: async () => (await import('../cli/domains.js')).domainsCommand,
      },
      {
        name: 'warnings',
        summary: 'list addresses that wallets warn of',
        load: async () => (await import('../cli/warnings.js')).warningsCommand,
      },
      {
        name: 'service-addresses',
        summary: 'list addresses that belong to services, such as exchanges',
        load: async () => (await import('../cli/service-addresses.js')).serviceAddressesCommand,
      },
      {
        name: 'banners',
        summary: 'publish banners and advertisements',
        load: async () => (await import('../cli/banners.js')).bannersCommand,
      },
      {
        name: 'apps',
        summary: 'verify applications and moderate their reviews',
        keys: 'erasure',
        load: async () => (await import('../cli/apps.js')).appsCommand,
      },
      {
        name: 'exchange',
        summary: 'show and close exchange orders',
        load: async () => (await import('../cli/exchange.js')).exchangeCommand,
      },
      {
        name: 'push',
        summary: 'show notifications and devices',
        keys: 'erasure',
        load: async () => (await import('../cli/push.js')).pushCommand,
      },
      {
        name: 'client-errors',
        summary: 'show errors that wallets have reported',
        load: async () => (await import('../cli/client-errors.js')).clientErrorsCommand,
      },
    ],
  },
];
