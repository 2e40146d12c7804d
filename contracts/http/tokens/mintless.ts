import { z } from 'zod';
import { networkOf, ownedJetton } from '../../account/ton-account';
import { endpoint } from '../endpoint';
import { hint, observedAt, TOKENS, units } from './tokens';
import { isTestnetText, tonAddress, tonOfAddress } from '../ton/fields';
import { LOCAL } from '../local-accounts';

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
    'Mintless jettons (TEP-177) that an owner has not claimed yet, among those that operators trust and the root on chain proves',
  examples: [{ params: { address: LOCAL.alice }, query: { isTestnet: 'false' } }],
  params: z.object({ address: tonAddress }),
  query: z.object({ isTestnet: isTestnetText }),
  response: z.array(mintlessHint),
  errors: ['network_mismatch'],
  watches: true,
  needs: tonOfAddress,
});

export const jettonPayload = endpoint({
  group: TOKENS,
  method: 'GET',
  path: '/mintless/jettons/{master}/transfer/{owner}/payload',
  summary:
    'The payload that an owner attaches to a transfer of a jetton with a payload server (TEP-176); empty where the contract is not a jetton master',
  examples: [
    {
      params: { master: LOCAL.mintless, owner: LOCAL.alice },
      query: { customPayloadApiUri: 'https://tokens.example/api', isTestnet: 'false' },
    },
  ],
  params: z.object({ master: tonAddress, owner: tonAddress }),
  query: z.object({
    customPayloadApiUri: z
      .string()
      .max(1_024)
      .optional()
      .meta({ description: 'Not used: the jetton itself names its server' }),
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
  needs: ({ params, query }) => [
    ownedJetton(params.owner, params.master, networkOf(query.isTestnet), '/query/isTestnet').owner,
  ],
});
