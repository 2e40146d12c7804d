import { PERSONAL_TEXT_KEYS, type CommandEntry } from '../../commands/command';

export const appCommands: readonly CommandEntry[] = [
  {
    name: 'apps',
    section: 'Wallets',
    summary: 'verify applications and moderate their reviews',
    examples: [
      'apps reviews https://app.example.com',
      'apps verify https://app.example.com --reason "checked by support"',
      'apps reports',
    ],
    keys: PERSONAL_TEXT_KEYS,
    load: async () => (await import('../apps/apps-command.js')).appsCommand,
  },
];
