import { PERSONAL_TEXT_KEYS, type CommandEntry } from '../../commands/command';

export const erasureCommands: readonly CommandEntry[] = [
  {
    name: 'erase',
    section: 'Privacy and audit',
    summary: 'make all personal texts of a person unreadable, permanently',
    examples: ['erase user-17 --yes'],
    keys: PERSONAL_TEXT_KEYS,
    load: async () => (await import('../erasure/erase-command.js')).eraseCommand,
  },
  {
    name: 'erasures',
    section: 'Privacy and audit',
    summary: 'list erasures',
    examples: ['erasures'],
    load: async () => (await import('../erasure/erase-command.js')).erasuresCommand,
  },
];
