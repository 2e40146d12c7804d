import type { CommandEntry } from '../../commands/command';

export const exchangeCommands: readonly CommandEntry[] = [
  {
    name: 'exchange',
    section: 'Wallets',
    summary: 'show and close exchange orders',
    examples: ['exchange list', 'exchange show 0b9bd6c4-2f52-5d63-9a4e-4f6f5c3a2d11'],
    load: async () => (await import('../exchange/exchange-command.js')).exchangeCommand,
  },
];
