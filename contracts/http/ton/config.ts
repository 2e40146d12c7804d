import { z } from 'zod';
import { tonNetworkConfig } from '../../chain/ton-network-config';
import { endpoint } from '../endpoint';
import { tonNetwork } from './fields';

export const networkConfig = endpoint({
  group: 'TON: transactions, status, configuration, contracts',
  method: 'GET',
  path: '/config',
  summary: 'Prices and limits for computing transaction fees, and the addresses that wallets warn about',
  examples: [{ query: { network: 'mainnet' } }],
  query: z.object({
    /** Default: `config` of mainnet, and `wallets` of both; a network that is not served cannot be named. */
    network: tonNetwork.optional(),
  }),
  etag: true,
  response: z.object({
    /** Friendly addresses, test-only ones of testnet. */
    wallets: z.object({
      /** The receiver may not accept what is sent to it. */
      restrict_send: z.array(z.string()),
      spam: z.array(z.string()),
    }),
    network: tonNetwork,
    /** Null until the network has been read, and where this instance does not serve it. */
    config: z.object({ seqno: z.int(), at: z.iso.datetime(), ...tonNetworkConfig.shape }).nullable(),
  }),
  needs: ({ query: { network } }) => (network ? [{ chain: 'ton', network }] : []),
});
