import type { Document } from '../../contracts/ports/documents';
import { createQueryCache } from '../../projections/engine/query-cache';
import { JETTONS } from '../../projections/ton/jettons/projection';
import type { TokenDeps } from './deps';
import { findEntries } from './jetton-entries';

const ALICE = { chain: 'ton', network: 'mainnet', address: `0:${'a'.repeat(64)}` } as const;
const jettonOf = (digit: string) => ({ wallet: `0:${digit.repeat(64)}`, master: `1:${digit.repeat(64)}` });

it('has what an owner gets while the list is read, and all that was there, from the next read on', async () => {
  const owned = [jettonOf('2'), jettonOf('3')];
  let isReceiving = true;
  const receive = (): void => {
    if (isReceiving) owned.unshift(jettonOf('1'));
    isReceiving = false;
  };
  const views = {
    cached: createQueryCache(async () => String(owned.length)),
    get: async () => null,
    getMany: async () => new Map(),
    find: async <D extends Document>(collection: string) => {
      const documents = collection === JETTONS.name ? owned.map(each => ({ ...each, seqno: 1 })) : [];
      receive();
      return { documents: documents as unknown as readonly D[], next: null };
    },
  };
  const observed = {
    findPart: async () => [],
    findMany: async (subjects: readonly object[]) => subjects.map(() => null),
  };
  const deps = {
    views,
    ownedJettons: observed,
    masters: observed,
    documents: observed,
    balances: observed,
  } as unknown as TokenDeps;
  const walletsShown = async () => (await findEntries(deps, ALICE)).entries.map(({ wallet }) => wallet);

  expect(await walletsShown()).toEqual([jettonOf('2').wallet, jettonOf('3').wallet]);
  expect(await walletsShown()).toEqual(owned.map(({ wallet }) => wallet));
});
