import { z } from 'zod';
import { solanaAccountObserved } from '../../chain/solana-observations';
import { endpoint } from '../endpoint';
import { solanaAddress, solanaNetwork, solanaOfPath } from './solana';
import { LOCAL } from '../local-accounts';

/** As of the `result` of `accountNotification` in Solana's RPC, with a `dataSlice` of length 0. */
const notification = z.object({
  result: z.object({
    context: z.object({ slot: z.int().min(1) }),
    value: solanaAccountObserved
      .omit({ balance: true })
      .extend({
        lamports: z.number().min(0),
        data: z.tuple([z.literal(''), z.literal('base64')]),
      })
      .nullable()
      .meta({ description: 'Null until the account has been read from a node' }),
  }),
});

export const solanaAccountFrame = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('connected') }),
    z.object({ event: z.literal('heartbeat') }),
    z.object({ event: z.literal('message'), data: notification }),
  ])
  .meta({ id: 'SolanaAccountFrame' });

export type SolanaAccountFrame = z.input<typeof solanaAccountFrame>;

/** What a client sends is ignored, and needs no space. */
const MAX_RECEIVED_BYTES = 1_024;

/**
 * After `connected` comes a `message` of the present state, if that is known: who connects again learns what happened
 * meanwhile. Every later change is followed by one, several by one at least. The changed transactions are in
 * the history before it is sent; a fork that removes some of them is a change too.
 */
export const solanaAccountStream = endpoint({
  group: 'Solana',
  method: 'GET',
  path: '/solana/{network}/account/{address}/ws',
  operationId: 'watchSolanaAccount',
  kind: 'websocket',
  summary: 'Notifies of every change to an account, once its history includes the change',
  examples: [{ params: { network: 'mainnet', address: LOCAL.solanaAlice } }],
  params: z.object({ network: solanaNetwork, address: solanaAddress }),
  bodyLimit: MAX_RECEIVED_BYTES,
  watches: true,
  response: solanaAccountFrame,
  needs: solanaOfPath,
});
