import { Router, type RequestHandler } from 'express';
import { z } from 'zod';
import { SOLANA_NETWORKS, type SolanaNetwork } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import { controlBody } from '../control-body';
import type { SolanaDevnet } from './devnet';

const slots = z.strictObject({
  network: z.enum(SOLANA_NETWORKS).default('mainnet'),
  slots: z.int().min(1).max(150),
});
const forkedSlots = slots.extend({ transactions: z.enum(['drop', 'include']).default('drop') });

/**
 * What only a local network can do on demand.
 *
 * `POST /devnet/solana/fork`: other blocks take the place of the open one and the newest ones before it, whose transactions are
 * dropped or, where they still can be, included again. Finalized blocks stay. `POST /devnet/solana/skip`: the slots after the
 * open one have no block. @throws Problem 400 that names the field, 404 for a network that is not local
 */
export function solanaControl(networks: ReadonlyMap<SolanaNetwork, SolanaDevnet>): Router {
  const control = <Schema extends typeof slots>(
    schema: Schema,
    act: (devnet: SolanaDevnet, body: z.output<Schema>) => Promise<object>,
  ): RequestHandler[] => [
    async (request, response) => {
      const body = await controlBody(schema, request);
      const devnet = networks.get(body.network);
      if (!devnet) throw new Problem('not_found', `Solana ${body.network} is not a local network.`);
      response.json({ network: body.network, ...(await act(devnet, body).catch(refuseSlots)) });
    },
  ];
  return Router()
    .post(
      '/devnet/solana/fork',
      control(forkedSlots, ({ hooks }, body) =>
        hooks.fork({ blocks: body.slots, replay: body.transactions === 'include' }),
      ),
    )
    .post(
      '/devnet/solana/skip',
      control(slots, async ({ hooks }, body) => {
        await hooks.skip(body.slots);
        return { skippedSlots: body.slots };
      }),
    );
}

/** The thread of the network names what is possible by a RangeError. */
function refuseSlots(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'RangeError') throw error;
  const { message } = error;
  throw new Problem('invalid_request', `/body/slots: ${message}`, {
    errors: [{ pointer: '/body/slots', code: 'out_of_range', message }],
  });
}
