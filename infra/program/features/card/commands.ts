import { PERSONAL_TEXT_KEYS, type CommandEntry } from '../../commands/command';

export const cardCommands: readonly CommandEntry[] = [
  {
    name: 'card',
    section: 'Wallets',
    summary: 'show and suspend card holders, freeze cards, and change limits',
    examples: [
      'card user find --network mainnet --key 8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
    ],
    keys: PERSONAL_TEXT_KEYS,
    load: async () => (await import('../card/card-command.js')).cardCommand,
  },
];
