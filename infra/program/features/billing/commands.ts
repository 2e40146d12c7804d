import type { CommandEntry } from '../../commands/command';

export const billingCommands: readonly CommandEntry[] = [
  {
    name: 'demo',
    section: 'Run',
    summary: 'fill an empty ledger with a demonstration, in the running program',
    examples: ['demo'],
    keys: 'tokens',
    load: async () => (await import('../billing/demo-command.js')).demoCommand,
  },
  {
    name: 'fees',
    section: 'Billing',
    summary: 'import, list and show fees',
    examples: ['fees import fees.ndjson', 'fees list --period 2026-10 --status pending', 'fees show fee-1'],
    keys: 'erasure',
    load: async () => (await import('../billing/fees-command.js')).feesCommand,
  },
  {
    name: 'revenue',
    section: 'Billing',
    summary: 'show the revenue of a period',
    examples: ['revenue --period 2026-10', 'revenue --from 2026-10-01 --to 2026-10-15'],
    keys: 'erasure',
    load: async () => (await import('../billing/revenue-command.js')).revenueCommand,
  },
  {
    name: 'invoices',
    section: 'Billing',
    summary: 'list invoices',
    examples: ['invoices list'],
    keys: 'erasure',
    load: async () => (await import('../billing/invoices-command.js')).invoicesCommand,
  },
  {
    name: 'settlements',
    section: 'Billing',
    summary: 'list and void settlements with merchants',
    examples: [
      'settlements list',
      'settlements void 6f2c1d8e-8f3b-4c55-9d0a-0d6a0c1f2b3e --reason "wrong rule"',
    ],
    keys: 'erasure',
    load: async () => (await import('../billing/settlements-command.js')).settlementsCommand,
  },
  {
    name: 'merchants',
    section: 'Billing',
    summary: 'name merchants',
    examples: ['merchants set ann --name "Ann & Co" --slug ann-and-co', 'merchants list'],
    load: async () => (await import('../billing/merchants-command.js')).merchantsCommand,
  },
  {
    name: 'rebates',
    section: 'Billing',
    summary: 'set the rebates that merchants get on their fees',
    examples: ['rebates rule show'],
    load: async () => (await import('../billing/rebates-command.js')).rebatesCommand,
  },
  {
    name: 'audit',
    section: 'Privacy and audit',
    summary: 'show who changed what in billing',
    examples: ['audit --from 2026-10-01', 'audit --action void_invoice'],
    keys: 'erasure',
    load: async () => (await import('../billing/audit-command.js')).auditCommand,
  },
];
