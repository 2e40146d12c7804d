import type { CommandEntry } from '../../commands/command';

export const allowedDomainCommands: readonly CommandEntry[] = [
  {
    name: 'domains',
    section: 'Wallets',
    summary: 'list domains that wallets open without a warning',
    examples: ['domains allow .example.com --reason "our guide"', 'domains explain https://app.example.com'],
    load: async () => (await import('../allowed-domains/domains-command.js')).domainsCommand,
  },
];
