import { Router } from 'express';
import type { Networks } from '../program/networks';
import type { LocalEconomy } from './economy';

/**
 * `GET /devnet`: the local networks that run, with keys of accounts to play with; `peopled` once all have theirs. Absent
 * when there are no such networks.
 */
export function devnetPage({ local }: Networks, economy: LocalEconomy): Router {
  const router = Router();
  if (local.ton.size + local.solana.size === 0) return router;
  const peopled = (): boolean =>
    [...local.ton.keys()].every(network => economy.ton.has(network)) &&
    [...local.solana.keys()].every(network => economy.solana.has(network));
  router.get('/devnet', (_request, response) => {
    response.json({
      notice:
        'Local networks that run inside this program on real virtual machines. Nothing here is worth anything, and all keys are public.',
      peopled: peopled(),
      ton: [...local.ton].map(
        ([network, { url }]) =>
          economy.ton.get(network) ?? { network, endpoint: url, faucet: `${url}/faucet` },
      ),
      solana: [...local.solana].map(
        ([network, { url, wsUrl }]) =>
          economy.solana.get(network) ?? { network, endpoint: url, websocket: wsUrl },
      ),
      faucet: {
        ton: 'POST {"address": "...", "amount": "<nanotons>"} to the faucet of the network',
        solana: 'JSON-RPC requestAirdrop(address, lamports) at the endpoint of the network',
      },
    });
  });
  return router;
}
