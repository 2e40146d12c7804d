import type { CommandEntry } from '../../commands/command';

export const appConfigCommands: readonly CommandEntry[] = [
  {
    name: 'config',
    section: 'Wallets',
    summary: 'publish the app configuration that wallets read',
    examples: [
      'config show app mainnet > config.json',
      'config set app mainnet config.json',
      'config diff app mainnet 1 2',
      'config rollback app mainnet 1',
    ],
    load: async () => (await import('../app-config/config-command.js')).configCommand,
  },
];
