import type { CommandEntry } from '../../commands/command';

export const gaslessCommands: readonly CommandEntry[] = [
  {
    name: 'gasless',
    section: 'Wallets',
    summary: 'show the relayers of gasless transfers',
    examples: ['gasless status', 'gasless tokens', 'gasless limits'],
    load: async () => (await import('../gasless/gasless-command.js')).gaslessCommand,
  },
];
