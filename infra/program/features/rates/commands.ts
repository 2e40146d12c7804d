import type { CommandEntry } from '../../commands/command';

export const rateCommands: readonly CommandEntry[] = [
  {
    name: 'rates',
    section: 'Wallets',
    summary: 'show prices, their ages and their sources',
    examples: ['rates'],
    load: async () => (await import('../rates/rates-command.js')).ratesCommand,
  },
];
