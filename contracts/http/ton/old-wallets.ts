import { z } from 'zod';
import { oldWallet } from '../../chain/ton-old-wallets';
import { endpoint } from '../endpoint';
import { tonNetwork } from './fields';
import { LOCAL } from '../local-accounts';

export const oldBalances = endpoint({
  group: 'Miscellaneous',
  method: 'GET',
  path: '/balances/old/{pubkey}',
  summary: 'Wallets of a key in versions before v4, with their balances, as of one block',
  examples: [{ params: { pubkey: LOCAL.bobKey }, query: { network: 'mainnet' } }],
  params: z.object({
    pubkey: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be a public key of 32 bytes, hexadecimal')
      .meta({ example: LOCAL.bobKey }),
  }),
  /** Default: mainnet. */
  query: z.object({ network: tonNetwork.optional() }),
  response: z.object({
    /** Nanotons, decimal. */
    totalBalance: z.string(),
    /** Oldest version first, also those that were never used. Addresses are friendly; test-only on testnet. */
    accounts: z.array(oldWallet),
    /** The masterchain block that was read. */
    seqno: z.int(),
    /** When it was read. */
    at: z.iso.datetime(),
  }),
  errors: ['rate_limited'],
  needs: ({ query: { network = 'mainnet' } }) => [{ chain: 'ton', network }],
});
