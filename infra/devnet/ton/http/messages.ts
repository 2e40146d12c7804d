import { Router, json } from 'express';
import type { Chain } from '../chain/chain';
import { type Inbound, InvalidMessage, parseExternal } from '../chain/messages';
import { type Faucet, parseGrantRequest } from '../faucet';
import { BadRequest } from './answer';
import { base64 } from './parameters';

/** The limit of real networks for external messages. */
const MAX_MESSAGE_BYTES = 65_535;

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

function readMessage(body: unknown): Inbound {
  const boc = base64('boc', field(body, 'boc'));
  if (boc.length > MAX_MESSAGE_BYTES) {
    throw new BadRequest(`boc must be at most ${MAX_MESSAGE_BYTES} bytes`, 413);
  }
  try {
    return parseExternal(boc);
  } catch (error) {
    if (error instanceof InvalidMessage) throw new BadRequest(error.message);
    throw error;
  }
}

export function messageRoutes(chain: Chain, faucet: Faucet): Router {
  const router = Router();
  router.use(json({ limit: '128kb', type: () => true }));

  router.post('/send', async (request, response) => {
    const refusal = await chain.offer(readMessage(request.body));
    if (refusal !== null) throw new BadRequest(`the account did not accept the message: ${refusal}`, 422);
    response.set('cache-control', 'no-store').json({ status: 1 });
  });

  router.post('/faucet', async (request, response) => {
    const { body } = request;
    const grant = parseGrantRequest(field(body, 'address'), field(body, 'amount'), field(body, 'extra'));
    if ('fault' in grant) throw new BadRequest(grant.fault);
    const { address, amount, extra } = grant;
    response.set('cache-control', 'no-store').json(await faucet.grant(address, amount, extra));
  });

  // For people who open its URL in a browser.
  router.all('/faucet', (_request, response) => {
    const error =
      'POST {"address": "...", "amount": "<nanotons>"} to this URL, and coins are sent to the address';
    response.status(405).set('allow', 'POST').json({ error });
  });

  return router;
}
