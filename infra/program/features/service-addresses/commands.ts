import type { CommandEntry } from '../../commands/command';

export const serviceAddressCommands: readonly CommandEntry[] = [
  {
    name: 'service-addresses',
    section: 'Wallets',
    summary: 'list addresses that belong to services, such as exchanges',
    examples: [
      'service-addresses add UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k changelly --type deposit',
      'service-addresses list',
    ],
    load: async () =>
      (await import('../service-addresses/service-addresses-command.js')).serviceAddressesCommand,
  },
];
