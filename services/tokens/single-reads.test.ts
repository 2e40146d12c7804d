import type {
  JettonMasterObserved,
  JettonPoolObserved,
  TokenAttributes,
} from '../../contracts/chain/ton-token-observations';
import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { ObservedReader } from '../../contracts/observation/reader';
import { accountAt } from '../../test/ton/scripted-chain';
import type { AnyCall } from '../http/call';
import type { TokenDeps } from './deps';
import { createSingleReads } from './single-reads';

const [POOL, GOLD, UNKNOWN] = [1, 2, 3].map(accountAt) as [string, string, string];
const at = '2026-11-20T12:00:00.000Z';

/** A double: what was observed, by address. */
function observed<Data>(data: Readonly<Record<string, Data>>): ObservedReader<TonContractSubject, Data> {
  const find = async ({ address }: TonContractSubject) =>
    address in data ? { height: 7, at, data: data[address]! } : null;
  const reader: Partial<ObservedReader<TonContractSubject, Data>> = {
    find,
    readDerived: async (_subject, derived) => derived.find(),
    isStale: () => false,
    notReady: () => new Error('not ready') as never,
    collection: 'observed',
  };
  return reader as ObservedReader<TonContractSubject, Data>;
}

const master = (attributes: Partial<TokenAttributes>): JettonMasterObserved => ({
  totalSupply: '7',
  mintable: false,
  admin: null,
  content: {
    kind: 'onchain',
    uri: null,
    attributes: {
      name: null,
      symbol: null,
      description: null,
      image: null,
      decimals: null,
      customPayloadApiUri: null,
      mintlessMerkleDumpUri: null,
      ...attributes,
    },
  },
});

const readsOf = (pools: Record<string, JettonPoolObserved>) => {
  const deps: Partial<TokenDeps> = {
    masters: observed({ [POOL]: master({ name: 'Pool' }), [GOLD]: master({ name: 'Gold', decimals: 6 }) }),
    pools: observed(pools),
    gatewayUrl: uri => uri,
    clock: () => new Date(at),
  };
  return createSingleReads(deps as TokenDeps, async () => undefined);
};
const call = {} as AnyCall;
const pool = { chain: 'ton', network: 'mainnet', address: POOL } as const;

it('has the exchange and the assets of a share of a pool, with what each says of itself', async () => {
  const assets = [{ type: 'native' }, { type: 'jetton', address: GOLD }] as const;
  const found = await readsOf({ [POOL]: { exchange: 'dedust', assets: [...assets] } }).metadata(pool, call);
  expect(found).toMatchObject({
    name: 'Pool',
    pool: 'dedust',
    assets: [
      { type: 'native' },
      { type: 'jetton', address: expect.stringMatching(/^EQ/), metadata: { name: 'Gold', decimals: 6 } },
    ],
  });
});

it('names an asset that cannot be read now, and says nothing of it', async () => {
  const assets = [{ type: 'jetton', address: UNKNOWN }, { type: 'native' }] as const;
  const found = await readsOf({ [POOL]: { exchange: 'ston-fi', assets: [...assets] } }).metadata(pool, call);
  expect(found).toMatchObject({ assets: [{ metadata: { name: null, symbol: null } }, { type: 'native' }] });
});

it('has none of it for another jetton, and outside mainnet', async () => {
  const reads = readsOf({ [POOL]: null });
  for (const network of ['mainnet', 'testnet'] as const)
    expect(await reads.metadata({ ...pool, network }, call)).not.toHaveProperty('assets');
});
