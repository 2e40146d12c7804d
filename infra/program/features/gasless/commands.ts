import type { CommandEntry } from '../../commands/command';

export const gaslessCommands: readonly CommandEntry[] = [
  {
    name: 'gasless',
    section: 'Wallets',
    summary: 'show the relayers of gasless transfers, and say which jettons pay for them',
    examples: [
      'gasless status',
      'gasless tokens',
      'gasless tokens add EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs --per-ton 3.2',
      'gasless tokens pause EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
      'gasless limits',
    ],
    load: async () => (await import('../gasless/gasless-command.js')).gaslessCommand,
  },
];
