import type { CommandEntry } from '../../commands/command';

export const tokenCommands: readonly CommandEntry[] = [
  {
    name: 'tokens',
    section: 'Wallets',
    summary: 'mark TON tokens as trusted or fraudulent',
    examples: ['tokens set EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs whitelist', 'tokens list'],
    load: async () => (await import('../tokens/tokens-command.js')).tokensCommand,
  },
];
