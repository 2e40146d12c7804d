import type { CommandEntry } from '../program/commands/command';
import { LEDGER_KEYS } from '../program/features/ledger-tree/commands';

/** Those that belong to no functional group. Paths are through a folder: jest finds the source of such `import()`s alone. */
export const OWN_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'start',
    section: 'Run',
    summary: 'run everything in this process, with embedded engines and local networks by default',
    examples: ['start', 'start --demo'],
    createsData: true,
    load: async () => (await import('../cli/start.js')).startCommand,
  },
  {
    name: 'run',
    section: 'Run',
    summary: 'run some roles in this process, on engines shared with other processes',
    examples: ['run api', 'run projections jobs'],
    createsData: true,
    load: async () => (await import('../cli/run.js')).runCommand,
  },
  {
    name: 'status',
    section: 'Run',
    summary: 'show whether the program runs, what is behind and what is wrong',
    examples: ['status', '--json status', 'status --url http://10.0.0.7:3000'],
    load: async () => (await import('../cli/status.js')).statusCommand,
  },
  {
    name: 'token',
    section: 'Run',
    summary: 'issue an access token',
    examples: ['token --role finance', 'token --role admin --secure --ttl 600', 'token --issuer platform'],
    keys: {},
    load: async () => (await import('../cli/token.js')).tokenCommand,
  },
  {
    name: 'backup',
    section: 'Data',
    summary: 'copy the data folder while the program runs',
    examples: ['backup /backups/monday'],
    load: async () => (await import('../cli/backup.js')).backupCommand,
  },
  {
    name: 'reset',
    section: 'Data',
    summary: 'delete all data of the embedded engines',
    examples: ['reset --yes'],
    load: async () => (await import('../cli/reset.js')).resetCommand,
  },
  {
    name: 'rebuild',
    section: 'Data',
    summary: 'rebuild a projection next to the live one, compare them and switch',
    examples: ['rebuild fees --verify', 'rebuild fees', 'rebuild --all --verify'],
    load: async () => (await import('../cli/rebuild.js')).rebuildCommand,
  },
  {
    name: 'migrate',
    section: 'Data',
    summary: 'copy all data from the embedded engines to servers, or back',
    examples: ['migrate --from embedded --to distributed'],
    createsData: true,
    load: async () => (await import('../cli/migrate.js')).migrateCommand,
  },
  {
    name: 'networks',
    section: 'Data',
    summary: 'compare the stored chain data with its sources',
    examples: ['networks verify'],
    load: async () => (await import('../cli/networks.js')).networksCommand,
  },
  {
    name: 'dead-letters',
    section: 'Data',
    summary: 'list transactions that could not be decoded, and decode those of TON again',
    examples: ['dead-letters list', 'dead-letters replay'],
    load: async () => (await import('../cli/dead-letters.js')).deadLettersCommand,
  },
  {
    name: 'replay',
    section: 'Data',
    summary: 'write the state of the ledger as of an earlier moment',
    examples: [
      'replay --as-of 2026-10-01T00:00:00Z --format csv',
      'replay --projection invoices --until-position 5000 --output invoices.ndjson',
    ],
    load: async () => (await import('../cli/replay.js')).replayCommand,
  },
  {
    name: 'verify',
    section: 'Proofs',
    summary: 'check the ledger against its Merkle tree and signed checkpoints',
    examples: ['verify', 'verify --checkpoint monday.json'],
    keys: LEDGER_KEYS,
    load: async () => (await import('../cli/verify.js')).verifyCommand,
  },
];
