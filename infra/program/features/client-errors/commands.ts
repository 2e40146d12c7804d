import type { CommandEntry } from '../../commands/command';

export const clientErrorCommands: readonly CommandEntry[] = [
  {
    name: 'client-errors',
    section: 'Wallets',
    summary: 'show errors that wallets have reported',
    examples: ['client-errors list', 'client-errors erase --all --yes'],
    load: async () => (await import('../client-errors/client-errors-command.js')).clientErrorsCommand,
  },
];
