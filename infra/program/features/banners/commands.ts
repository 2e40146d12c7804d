import type { CommandEntry } from '../../commands/command';

export const bannerCommands: readonly CommandEntry[] = [
  {
    name: 'banners',
    section: 'Wallets',
    summary: 'publish banners and advertisements',
    examples: ['banners publish browser banner.json', 'banners explain browser', 'banners retire browser 1'],
    load: async () => (await import('../banners/banners-command.js')).bannersCommand,
  },
];
