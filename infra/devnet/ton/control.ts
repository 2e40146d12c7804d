import { Router } from 'express';
import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import { controlBody } from '../control-body';
import type { TonDevnet } from './devnet';

/** A year. */
const MAX_SECONDS = 31_536_000;

const advance = z.strictObject({
  network: z.enum(TON_NETWORKS).default('mainnet'),
  seconds: z.int().min(1).max(MAX_SECONDS),
});

/**
 * `POST /devnet/ton/advance`: the clock of a local network is ahead by so many seconds more, for good, and pools have taken part in
 * the elections on the way. Answers with the time of the first block after that. @throws Problem 400 that names the field, 404 for a network that is not local
 */
export function tonControl(networks: ReadonlyMap<TonNetwork, Pick<TonDevnet, 'passTime'>>): Router {
  return Router().post('/devnet/ton/advance', async (request, response) => {
    const { network, seconds } = await controlBody(advance, request);
    const devnet = networks.get(network);
    if (!devnet) throw new Problem('not_found', `TON ${network} is not a local network.`);
    const utime = await devnet.passTime(seconds).catch(refuseSeconds);
    response.json({ network, seconds, utime, time: new Date(utime * 1000).toISOString() });
  });
}

/** The thread of the network names what is possible by a RangeError. */
function refuseSeconds(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'RangeError') throw error;
  const { message } = error;
  throw new Problem('invalid_request', `/body/seconds: ${message}`, {
    errors: [{ pointer: '/body/seconds', code: 'out_of_range', message }],
  });
}
