import { z } from 'zod';
import { endpoint } from '../endpoint';

export const allowedDomains = endpoint({
  group: 'Application configuration, catalog, banners',
  method: 'GET',
  path: '/protect/allowed-domains',
  summary: 'Domains that wallets open in their browser without a warning',
  examples: [{}],
  etag: true,
  response: z.object({
    domains: z
      .array(z.string())
      .meta({ description: 'A host; with a leading dot, the host and every host under it' }),
  }),
});
