import { z } from 'zod';
import { endpoint } from '../endpoint';
import { hash256, tonNetwork, tonOfPath } from './fields';

export const tonTransactionStatus = endpoint({
  group: 'TON: transactions, status, configuration, contracts',
  method: 'POST',
  path: '/ton/transactions/status/{network}',
  summary: 'Status of a sent message, by the hash of the message or of its transaction',
  examples: [{ params: { network: 'mainnet' }, body: { txHash: 'ab'.repeat(32) } }],
  params: z.object({ network: tonNetwork }),
  body: z.object({ txHash: hash256 }),
  response: z
    .object({
      found: z.boolean(),
      /** True until the message has become a transaction, and everything is known that the transaction caused. */
      inProgress: z.boolean(),
      status: z.enum(['confirmed', 'processing']),
      /** Of the transaction, as the next two: set once it is found. */
      lt: z.string().optional(),
      hash: z.string().optional(),
      /** Unix seconds. */
      timestamp: z.int().optional(),
      /**
       * Set when nothing is in progress. False when the account refused, and when what it sent was refused or came back,
       * such as tokens by the wallet of their receiver.
       */
      success: z.boolean().optional(),
    })
    .nullable(),
  needs: tonOfPath,
});
