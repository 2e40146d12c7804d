import { z } from 'zod';
import { SERVICES } from '../../events/service-address';
import { accountAddress } from '../fields/account';
import { endpoint } from '../endpoint';
import { LOCAL } from '../local-accounts';

export const checkServiceAddress = endpoint({
  group: 'Miscellaneous',
  method: 'POST',
  path: '/service-address/check',
  summary: 'Whether an address belongs to a service, which wallets warn about before sending',
  examples: [{ body: { address: LOCAL.alice } }],
  body: z.object({ address: accountAddress }),
  response: z.object({
    ok: z.literal(true),
    found: z.boolean(),
    /** As it was asked for; absent, as the others, unless it was found. */
    address: z.string().optional(),
    service: z.enum(SERVICES).optional(),
    /** What the address is for: `payin` where an exchange awaits a payment. */
    type: z.string().optional(),
    icon: z.string().optional(),
  }),
});
