import { z } from 'zod';
import { endpoint } from './endpoint';
import { EXAMPLE_MASTER, EXAMPLE_OWNER, hint, observedAt, TOKENS, units } from './tokens';
import { isTestnetText, tonAddress } from './ton-fields';

const mintlessHint = hint.extend({
  /** On the chain, and what can be claimed. */
  balance: units,
  extensions: z.array(z.string()),
  /** What cannot be claimed yet, and from when it can, in Unix seconds. */
  lock: z.object({ amount: units, till: z.int() }).optional(),
});
export type MintlessHint = z.output<typeof mintlessHint>;

export const mintlessJettons = endpoint({
  group: TOKENS,
  method: 'GET',
  path: '/mintless/jettons/{address}',
  summary:
    'The mintless jettons (TEP-177) that an owner has not claimed, of those that operators trust and that the root on the chain proves',
  examples: [{ params: { address: EXAMPLE_OWNER }, query: { isTestnet: 'false' } }],
  params: z.object({ address: tonAddress }),
  query: z.object({ isTestnet: isTestnetText }),
  response: z.array(mintlessHint),
  errors: ['network_mismatch'],
  watches: true,
});

export const jettonPayload = endpoint({
  group: TOKENS,
  method: 'GET',
  path: '/mintless/jettons/{master}/transfer/{owner}/payload',
  summary:
    'What an owner attaches to a transfer of a jetton that has a server for it (TEP-176): nothing where the contract is no jetton master',
  examples: [
    {
      params: { master: EXAMPLE_MASTER, owner: EXAMPLE_OWNER },
      query: { customPayloadApiUri: 'https://tokens.example/api', isTestnet: 'false' },
    },
  ],
  params: z.object({ master: tonAddress, owner: tonAddress }),
  query: z.object({
    customPayloadApiUri: z
      .string()
      .max(1_024)
      .optional()
      .meta({ description: 'Not used: the jetton itself says where its server is' }),
    isTestnet: isTestnetText,
  }),
  response: z.object({
    /** Base64 BoC; null where there is nothing to attach, for one because it was claimed. */
    customPayload: z.string().nullable(),
    /** Base64 BoC. */
    stateInit: z.string().nullable(),
    at: observedAt,
  }),
  errors: ['network_mismatch', 'source_wrong_network', 'rate_limited'],
});
