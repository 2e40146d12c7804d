import type { CommandEntry, KeysOfCommand } from '../../commands/command';

export const LEDGER_KEYS: KeysOfCommand = { setting: 'LEDGER_KEYS_FILE', file: 'ledger.json' };

export const ledgerCommands: readonly CommandEntry[] = [
  {
    name: 'proof',
    section: 'Proofs',
    summary: 'write proofs that others can verify without this program',
    examples: ['proof checkpoint --output monday.json', 'proof merchant ann --output ann.json'],
    keys: LEDGER_KEYS,
    load: async () => (await import('../ledger-tree/proof-command.js')).proofCommand,
  },
  {
    name: 'export',
    section: 'Proofs',
    summary: 'write all events of the ledger as JSON lines',
    examples: ['export --output ledger.ndjson'],
    load: async () => (await import('../ledger-tree/export-command.js')).exportCommand,
  },
  {
    name: 'anchor',
    section: 'Proofs',
    summary: 'send heads of the ledger to TON, where nobody can change them',
    examples: ['anchor now', 'anchor list', 'anchor export --output anchor.json'],
    keys: LEDGER_KEYS,
    load: async () => (await import('../ledger-tree/anchor-command.js')).anchorCommand,
  },
  {
    name: 'keys',
    section: 'Proofs',
    summary: 'list and rotate the keys that sign proofs',
    examples: ['keys list', 'keys rotate'],
    keys: { setting: 'LEDGER_KEYS_FILE' },
    load: async () => (await import('../ledger-tree/keys-command.js')).keysCommand,
  },
];
