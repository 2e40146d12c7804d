import { Router } from 'express';
import type { LocalNetworks } from './local-networks';
import { solanaControl } from './solana/control';
import { tonControl } from './ton/control';
import type { LocalTraffic } from './traffic';

/**
 * `GET /devnet`: the local networks with the keys of their accounts; `seeded` once all networks have theirs.
 */
export function devnetPage(local: LocalNetworks, traffic: LocalTraffic): Router {
  const router = Router();
  const isSeeded = (): boolean =>
    [...local.ton.keys()].every(network => traffic.ton.has(network)) &&
    [...local.solana.keys()].every(network => traffic.solana.has(network));
  router.get('/devnet', (_request, response) => {
    response.json({
      notice:
        'Local networks that run inside this program on real virtual machines. Their coins have no value, and all keys are public.',
      seeded: isSeeded(),
      ton: [...local.ton].map(
        ([network, { url }]) =>
          traffic.ton.get(network) ?? { network, endpoint: url, faucet: `${url}/faucet` },
      ),
      solana: [...local.solana].map(
        ([network, { url, wsUrl }]) =>
          traffic.solana.get(network) ?? { network, endpoint: url, websocket: wsUrl },
      ),
      faucet: {
        ton: 'POST {"address": "...", "amount": "<nanotons>"} to the faucet of the network',
        solana: 'JSON-RPC requestAirdrop(address, lamports) at the endpoint of the network',
      },
      control: {
        advance:
          'POST {"network": "mainnet", "seconds": 65536} to /devnet/ton/advance: the clock moves ahead, for good',
        fork: 'POST {"network": "mainnet", "slots": 3, "transactions": "drop"} to /devnet/solana/fork; or "include" them again',
        skip: 'POST {"network": "mainnet", "slots": 3} to /devnet/solana/skip',
      },
    });
  });
  return router.use(solanaControl(local.solana)).use(tonControl(local.ton));
}
