import type { CommandEntry } from '../../commands/command';

export const tonConfigCommands: readonly CommandEntry[] = [
  {
    name: 'warnings',
    section: 'Wallets',
    summary: 'list addresses that wallets warn about',
    examples: ['warnings add UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k spam', 'warnings list'],
    load: async () => (await import('../ton-config/warnings-command.js')).warningsCommand,
  },
];
