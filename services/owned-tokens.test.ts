import pino from 'pino';
import type { AnyCall } from './http/call';
import type { CachedQuery } from '../projections/views';
import { createOwnedTokens, type OwnedTokens } from './owned-tokens';

const account = { chain: 'ton', network: 'testnet', address: `0:${'7'.repeat(64)}` } as const;
const call = { signal: new AbortController().signal, ip: '192.0.2.1' };

it('what was read before the discovery ended is read again, although it ended during the read', async () => {
  let endDiscovery!: () => void;
  const discovery = new Promise<void>(resolve => (endDiscovery = resolve));
  const owned = ['from a transaction'];
  let reads = 0;
  const read = createOwnedTokens({
    views: {
      cached: <T>(_query: CachedQuery, compute: () => Promise<T>) => compute(),
      waitForChange: async () => undefined,
    },
    watch: async () => 1,
    logger: pino({ level: 'silent' }),
  });

  const served = await read(
    {
      account,
      key: [],
      sources: [],
      knownSince: async () => 0n,
      async find(): Promise<OwnedTokens<readonly string[]>> {
        const found = [...owned];
        // Of the two reads before the answer the second is under way.
        if (++reads === 2) {
          owned.push('discovered');
          endDiscovery();
          await discovery;
          await new Promise(setImmediate);
        }
        return { served: found, isEmpty: false, isWhole: true, isComplete: reads > 1, isStale: () => false };
      },
      refresh: async () => undefined,
      discover: () => discovery,
    },
    call as AnyCall,
  );
  expect(served).toEqual(['from a transaction', 'discovered']);
});
