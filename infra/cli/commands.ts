import type { Command } from 'commander';
import type { KeysOfCommand } from '../program/commands/existing-data';

/** Makes a command from a function that reads the settings. */
export type MakeCommand = (config: () => never) => Command;

/** A command of `tidemark`. What it needs is loaded only when it runs, so that help is there at once. */
export interface CommandEntry {
  readonly name: string;
  /** In the list of commands. */
  readonly summary: string;
  /** Command lines of it, without `tidemark`. */
  readonly examples: readonly string[];
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
        examples: ['start', 'start --demo'],
        createsData: true,
        load: async () => (await import('../cli/start.js')).startCommand,
      },
      {
        name: 'run',
        summary: 'run some roles in this process, on engines shared with other processes',
        examples: ['run api', 'run projections jobs'],
        createsData: true,
        load: async () => (await import('../cli/run.js')).runCommand,
      },
      {
        name: 'status',
        summary: 'show whether the program runs, what is behind and what is wrong',
        examples: ['status', '--json status', 'status --url http://10.0.0.7:3000'],
        load: async () => (await import('../cli/status.js')).statusCommand,
      },
      {
        name: 'demo',
        summary: 'fill an empty ledger with a demonstration, in the running program',
        examples: ['demo'],
        keys: 'tokens',
        load: async () => (await import('../program/features/billing/demo-command.js')).demoCommand,
      },
      {
        name: 'token',
        summary: 'issue an access token',
        examples: [
          'token --role finance',
          'token --role admin --secure --ttl 600',
          'token --issuer platform',
        ],
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
        examples: ['backup /backups/monday'],
        load: async () => (await import('../cli/backup.js')).backupCommand,
      },
      {
        name: 'reset',
        summary: 'delete all data of the embedded engines',
        examples: ['reset --yes'],
        load: async () => (await import('../cli/reset.js')).resetCommand,
      },
      {
        name: 'rebuild',
        summary: 'rebuild a projection next to the live one, compare them and switch',
        examples: ['rebuild fees --verify', 'rebuild fees', 'rebuild --all --verify'],
        load: async () => (await import('../cli/rebuild.js')).rebuildCommand,
      },
      {
        name: 'replay',
        summary: 'write the state of the ledger as of an earlier moment',
        examples: [
          'replay --as-of 2026-10-01T00:00:00Z --format csv',
          'replay --projection invoices --until-position 5000 --output invoices.ndjson',
        ],
        load: async () => (await import('../program/features/billing/replay-command.js')).replayCommand,
      },
      {
        name: 'migrate',
        summary: 'copy all data from the embedded engines to servers, or back',
        examples: ['migrate --from embedded --to distributed'],
        createsData: true,
        load: async () => (await import('../cli/migrate.js')).migrateCommand,
      },
      {
        name: 'networks',
        summary: 'compare the stored chain data with its sources',
        examples: ['networks verify'],
        load: async () => (await import('../cli/networks.js')).networksCommand,
      },
      {
        name: 'dead-letters',
        summary: 'list and replay transactions that could not be decoded',
        examples: ['dead-letters list', 'dead-letters replay'],
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
        examples: [
          'fees import fees.ndjson',
          'fees list --period 2026-10 --status pending',
          'fees show fee-1',
        ],
        keys: 'erasure',
        load: async () => (await import('../program/features/billing/fees-command.js')).feesCommand,
      },
      {
        name: 'revenue',
        summary: 'show the revenue of a period',
        examples: ['revenue --period 2026-10', 'revenue --from 2026-10-01 --to 2026-10-15'],
        keys: 'erasure',
        load: async () => (await import('../program/features/billing/revenue-command.js')).revenueCommand,
      },
      {
        name: 'invoices',
        summary: 'list invoices',
        examples: ['invoices list'],
        keys: 'erasure',
        load: async () => (await import('../program/features/billing/invoices-command.js')).invoicesCommand,
      },
      {
        name: 'settlements',
        summary: 'list and void settlements with merchants',
        examples: [
          'settlements list',
          'settlements void 6f2c1d8e-8f3b-4c55-9d0a-0d6a0c1f2b3e --reason "wrong rule"',
        ],
        keys: 'erasure',
        load: async () =>
          (await import('../program/features/billing/settlements-command.js')).settlementsCommand,
      },
      {
        name: 'merchants',
        summary: 'name merchants',
        examples: ['merchants set ann --name "Ann & Co" --slug ann-and-co', 'merchants list'],
        load: async () => (await import('../program/features/billing/merchants-command.js')).merchantsCommand,
      },
      {
        name: 'rebates',
        summary: 'set the rebates that merchants get on their fees',
        examples: ['rebates rule show'],
        load: async () => (await import('../program/features/billing/rebates-command.js')).rebatesCommand,
      },
    ],
  },
  {
    title: 'Proofs',
    commands: [
      {
        name: 'verify',
        summary: 'check the ledger against its Merkle tree and signed checkpoints',
        examples: ['verify', 'verify --checkpoint monday.json'],
        keys: 'ledger',
        load: async () => (await import('../program/features/ledger/verify-command.js')).verifyCommand,
      },
      {
        name: 'proof',
        summary: 'write proofs that others can verify without this program',
        examples: ['proof checkpoint > monday.json', 'proof merchant ann > ann.json'],
        keys: 'ledger',
        load: async () => (await import('../program/features/ledger/proof-command.js')).proofCommand,
      },
      {
        name: 'export',
        summary: 'write all events of the ledger as JSON lines',
        examples: ['export --output ledger.ndjson'],
        load: async () => (await import('../program/features/ledger/export-command.js')).exportCommand,
      },
      {
        name: 'keys',
        summary: 'list and rotate the keys that sign proofs',
        examples: ['keys list', 'keys rotate'],
        keys: 'ledger',
        load: async () => (await import('../program/features/ledger/keys-command.js')).keysCommand,
      },
    ],
  },
  {
    title: 'Privacy and audit',
    commands: [
      {
        name: 'erase',
        summary: 'make all personal texts of a person unreadable, permanently',
        examples: ['erase user-17 --yes'],
        keys: 'erasure',
        load: async () => (await import('../program/features/erasure/erase-command.js')).eraseCommand,
      },
      {
        name: 'erasures',
        summary: 'list erasures',
        examples: ['erasures'],
        load: async () => (await import('../program/features/erasure/erase-command.js')).erasuresCommand,
      },
      {
        name: 'audit',
        summary: 'show who changed what in billing',
        examples: ['audit --from 2026-10-01', 'audit --action void_invoice'],
        keys: 'erasure',
        load: async () => (await import('../program/features/billing/audit-command.js')).auditCommand,
      },
    ],
  },
  {
    title: 'Wallets',
    commands: [
      {
        name: 'config',
        summary: 'publish the app configuration that wallets read',
        examples: [
          'config show app mainnet > config.json',
          'config set app mainnet config.json',
          'config diff app mainnet 1 2',
          'config rollback app mainnet 1',
        ],
        load: async () => (await import('../program/features/app-config/config-command.js')).configCommand,
      },
      {
        name: 'tokens',
        summary: 'mark TON tokens as trusted or fraudulent',
        examples: ['tokens set EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs whitelist', 'tokens list'],
        load: async () => (await import('../program/features/tokens/tokens-command.js')).tokensCommand,
      },
      {
        name: 'rates',
        summary: 'show prices, their ages and their sources',
        examples: ['rates'],
        load: async () => (await import('../program/features/rates/rates-command.js')).ratesCommand,
      },
      {
        name: 'domains',
        summary: 'list domains that wallets open without a warning',
        examples: [
          'domains allow .example.com --reason "our guide"',
          'domains explain https://app.example.com',
        ],
        load: async () =>
          (await import('../program/features/allowed-domains/domains-command.js')).domainsCommand,
      },
      {
        name: 'warnings',
        summary: 'list addresses that wallets warn about',
        examples: ['warnings add UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k spam', 'warnings list'],
        load: async () =>
          (await import('../program/features/ton-config/warnings-command.js')).warningsCommand,
      },
      {
        name: 'service-addresses',
        summary: 'list addresses that belong to services, such as exchanges',
        examples: [
          'service-addresses add UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k changelly --type deposit',
          'service-addresses list',
        ],
        load: async () =>
          (await import('../program/features/service-addresses/service-addresses-command.js'))
            .serviceAddressesCommand,
      },
      {
        name: 'banners',
        summary: 'publish banners and advertisements',
        examples: [
          'banners publish browser banner.json',
          'banners explain browser',
          'banners retire browser 1',
        ],
        load: async () => (await import('../program/features/banners/banners-command.js')).bannersCommand,
      },
      {
        name: 'apps',
        summary: 'verify applications and moderate their reviews',
        examples: [
          'apps reviews https://app.example.com',
          'apps verify https://app.example.com --reason "checked by support"',
          'apps reports',
        ],
        keys: 'erasure',
        load: async () => (await import('../program/features/apps/apps-command.js')).appsCommand,
      },
      {
        name: 'exchange',
        summary: 'show and close exchange orders',
        examples: ['exchange list', 'exchange show order-1'],
        load: async () => (await import('../program/features/exchange/exchange-command.js')).exchangeCommand,
      },
      {
        name: 'push',
        summary: 'show notifications and devices',
        examples: ['push outbox', 'push devices --address UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k'],
        keys: 'erasure',
        load: async () => (await import('../program/features/push/push-command.js')).pushCommand,
      },
      {
        name: 'client-errors',
        summary: 'show errors that wallets have reported',
        examples: ['client-errors list', 'client-errors erase --all --yes'],
        load: async () =>
          (await import('../program/features/client-errors/client-errors-command.js')).clientErrorsCommand,
      },
    ],
  },
];
