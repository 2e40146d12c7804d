import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@solana/web3.js';
import { TonClient4 } from '@ton/ton';
import { send } from '../../e2e/client';
import type { LocalNetworks } from '../../e2e/installation';
import type { Target } from '../../crash/load-target';
import { transferLoad, type Flow } from '../../crash/transfer-load';
import type { Fleet } from './fleet';

/** The target of the load of crash tests: an API and the local networks of the fleet. */
export async function targetOf(fleet: Fleet, token: string, stop: AbortSignal): Promise<Target> {
  const [api] = fleet.of('api');
  const [networks] = fleet.of('networks');
  const { ton, solana } = (await send(networks!.url, 'GET', '/devnet')).body as LocalNetworks;
  const tonMainnet = ton.find(({ network }) => network === 'mainnet')!;
  const solanaMainnet = solana.find(({ network }) => network === 'mainnet')!;
  const exited = Promise.race([api!.ended, networks!.ended]).then(() =>
    Promise.reject(new Error('the program has exited')),
  );
  exited.catch(() => undefined);
  return {
    url: api!.url,
    token,
    killed: stop,
    exited,
    ton: new TonClient4({ endpoint: tonMainnet.endpoint, timeout: 120_000 }),
    tonFaucet: `${tonMainnet.endpoint}/faucet`,
    solana: new Connection(solanaMainnet.endpoint, {
      commitment: 'processed',
      wsEndpoint: solanaMainnet.websocket,
    }),
  };
}

const BURST_MS = 700;

/** Sends transfers on both chains for `BURST_MS`. */
export async function burst(fleet: Fleet, flow: Flow): Promise<void> {
  const over = new AbortController();
  const target = await targetOf(fleet, '', over.signal);
  const load = Promise.all(transferLoad(target, flow));
  await Promise.race([load, sleep(BURST_MS)]);
  over.abort();
  await load;
}
