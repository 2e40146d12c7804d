import { z } from 'zod';
import { endpoint } from './endpoint';
import { hash256, tonNetwork } from './ton-fields';

export const tonTransactionStatus = endpoint({
  group: 'TON: transactions, status, configuration, contracts',
  method: 'POST',
  path: '/ton/transactions/status/{network}',
  summary:
    'Whether a sent message has become a transaction: by the hash of the message or of the transaction',
  examples: [{ params: { network: 'mainnet' }, body: { txHash: 'ab'.repeat(32) } }],
  params: z.object({ network: tonNetwork }),
  body: z.object({ txHash: hash256 }),
  response: z
    .object({
      found: z.boolean(),
      inProgress: z.boolean(),
      status: z.enum(['confirmed', 'processing']),
      /** Of the transaction, as the next three: set once it is found. */
      lt: z.string().optional(),
      hash: z.string().optional(),
      /** Unix seconds. */
      timestamp: z.int().optional(),
      /** False when the account refused: nothing was done but fees were taken. */
      success: z.boolean().optional(),
    })
    .nullable(),
});
