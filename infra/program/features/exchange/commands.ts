import type { CommandEntry } from '../../commands/command';

export const exchangeCommands: readonly CommandEntry[] = [
  {
    name: 'exchange',
    section: 'Wallets',
    summary: 'show and close exchange orders',
    examples: ['exchange list', 'exchange show order-1'],
    load: async () => (await import('../exchange/exchange-command.js')).exchangeCommand,
  },
];
