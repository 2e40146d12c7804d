import { z } from 'zod';
import type { Jetton } from '../../../contracts/chain/pool-prices';
import type { PriceRealm } from '../../../contracts/chain/prices';
import { defineObservation } from '../../../contracts/observation/observation';
import { TON_SOURCE } from '../observations/source';
import { exchangesOf } from './exchanges';
import { isDeep } from './pool';

/**
 * Whether a jetton has a pool that can make a price; nothing is stored of it, as anybody can think of any number of jettons.
 * Its limits are its own: who asks for unknown jettons delays no other read.
 */
export function jettonHasPool(realm: PriceRealm) {
  return defineObservation({
    kind: 'ton.jetton.pools',
    recorded: false,
    subject: { format: ({ network, master }: Jetton) => `${network}/${master}` },
    schema: z.boolean(),
    source: { ...TON_SOURCE, name: 'ton-jetton-pools', maxConcurrent: 4, maxPerSecond: 10 },
    ttlMs: 60_000,
    maxEntries: 20_000,
    async read({ ton }, { network, master }) {
      const client = ton(network);
      const { seqno: height } = await client.getLastBlock();
      for (const { findPool } of exchangesOf(realm, network)) {
        const read = await findPool(client, height, master);
        const reserves = read && (await read(client, height));
        if (reserves && isDeep(reserves)) return { height, data: true };
      }
      return { height, data: false };
    },
  });
}
