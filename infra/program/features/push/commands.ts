import { PERSONAL_TEXT_KEYS, type CommandEntry } from '../../commands/command';

export const pushCommands: readonly CommandEntry[] = [
  {
    name: 'push',
    section: 'Wallets',
    summary: 'show notifications and devices',
    examples: ['push outbox', 'push devices --address UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k'],
    keys: PERSONAL_TEXT_KEYS,
    load: async () => (await import('../push/push-command.js')).pushCommand,
  },
];
