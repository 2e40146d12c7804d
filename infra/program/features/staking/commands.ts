import type { CommandEntry } from '../../commands/command';

export const stakingCommands: readonly CommandEntry[] = [
  {
    name: 'staking',
    section: 'Wallets',
    summary: 'explain the yields of a nominator pool, and the profit of a member',
    examples: [
      'staking explain EQCkR1cGmnsE45N4K0otPl5EnxnRakmGqeJUNua5fkWhales',
      'staking explain EQCkR1cGmnsE45N4K0otPl5EnxnRakmGqeJUNua5fkWhales --member EQALev4rq0_A9k7MePI3Nen6sOGX9lPlZIdVNbZndwm_13NT',
    ],
    load: async () => (await import('../staking/staking-command.js')).stakingCommand,
  },
];
