import { z } from 'zod';
import { oldWallet } from '../chain/ton-old-wallets';
import { endpoint } from './endpoint';
import { tonNetwork } from './ton-fields';

export const oldBalances = endpoint({
  group: 'Miscellaneous',
  method: 'GET',
  path: '/balances/old/{pubkey}',
  summary: 'The wallets of a key before v4, and what is in them, as of one block',
  examples: [{ params: { pubkey: '07'.repeat(32) }, query: { network: 'mainnet' } }],
  params: z.object({
    pubkey: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'a public key of 32 bytes, hexadecimal')
      .meta({ example: '07'.repeat(32) }),
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
});
