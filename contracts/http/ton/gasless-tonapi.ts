import { z } from 'zod';
import type { TonNetwork } from '../../network/network';
import { endpoint } from '../endpoint';
import { LOCAL } from '../local-accounts';
import {
  GASLESS,
  gaslessBoc,
  gaslessConfigResponse,
  gaslessMessages,
  gaslessQuote,
  LOCAL_GASLESS_BOC,
  walletKey,
} from './gasless';
import { tonAddress, tonNetwork } from './fields';

/** `error_code` of a refusal, as clients of TonAPI know it. */
export const TONAPI_ERROR_CODES = {
  unsupported: 40_000,
  'try-later': 40_001,
  cooldown: 40_003,
  'not-enough': 40_012,
} as const;

/** TonAPI has a host for each network; here it is a parameter that its clients do not know. */
const query = z.object({ network: tonNetwork.default('mainnet') });
const needs = ({ query: { network } }: { readonly query: { readonly network: TonNetwork } }) => [
  { chain: 'ton', network } as const,
];
const PROTOCOL = z.literal('gasless');
const errors = ['gasless_refused', 'source_wrong_network'] as const;

export const tonapiGaslessConfig = endpoint({
  group: GASLESS,
  method: 'GET',
  path: '/v2/gasless/config',
  operationId: 'getTonapiGaslessConfig',
  summary: 'The jettons that pay for transfers, and the wallet of the relayer, for clients of TonAPI',
  examples: [{}],
  query,
  response: gaslessConfigResponse,
  errors: ['gasless_off'],
  needs,
});

export const tonapiGaslessEstimate = endpoint({
  group: GASLESS,
  method: 'POST',
  path: '/v2/gasless/estimate/{master_id}',
  operationId: 'tonapiGaslessEstimate',
  summary:
    'What a transfer of jettons costs in the jetton, for clients of TonAPI; a refusal is a 400 with `error_code`',
  examples: [
    {
      params: { master_id: LOCAL.dollar },
      body: {
        wallet_address: LOCAL.alice,
        wallet_public_key: LOCAL.aliceKey,
        messages: [{ boc: LOCAL_GASLESS_BOC }],
      },
    },
  ],
  params: z.object({ master_id: tonAddress }),
  query,
  body: z.object({
    wallet_address: tonAddress,
    wallet_public_key: walletKey,
    messages: gaslessMessages,
    /** Always done. */
    throw_error_if_not_enough_jettons: z.boolean().optional(),
    /** There is none in the answer. */
    return_emulation: z.boolean().optional(),
  }),
  bodyLimit: 256 * 1024,
  response: gaslessQuote.extend({ protocol_name: PROTOCOL }),
  errors,
  needs,
});

export const tonapiGaslessSend = endpoint({
  group: GASLESS,
  method: 'POST',
  path: '/v2/gasless/send',
  operationId: 'tonapiGaslessSend',
  summary:
    'Sends what a wallet has signed through the relayer, for clients of TonAPI; a refusal is a 400 with `error_code`',
  examples: [{ body: { wallet_public_key: LOCAL.aliceKey, boc: LOCAL_GASLESS_BOC } }],
  query,
  body: z.object({ wallet_public_key: walletKey, boc: gaslessBoc }),
  response: z.object({ protocol_name: PROTOCOL }),
  errors,
  needs,
});
