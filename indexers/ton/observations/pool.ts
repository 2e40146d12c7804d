import { Address, beginCell, type Cell, type TupleItem } from '@ton/core';
import { jettonPoolObserved, type JettonPoolObserved } from '../../../contracts/chain/ton-token-observations';
import { defineObservation } from '../../../contracts/observation/observation';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { askContract } from '../get-method';
import { readJettonWallet } from '../jetton-wallets';
import { DEDUST_FACTORY } from './contract-kinds';
import { contractSubject, TON_SOURCE } from './source';

/** The router of version 1 of the exchange STON.fi on mainnet. */
export const STON_FI_ROUTER = Address.parse('EQB3ncyBUTjZUA5EnFKR5_EnOMI9V1tTEAAPaiU71gc4TiUt').toRawString();

type GetMethods = Pick<TonClient, 'runMethod'>;
type ReadPool = (client: GetMethods, seqno: number, address: string) => Promise<JettonPoolObserved>;

/** The pool of an exchange that a jetton is a share of. Which assets a pool has never changes. */
export const jettonPoolObservation = defineObservation({
  kind: 'ton.jetton.pool',
  subject: contractSubject,
  schema: jettonPoolObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 86_400_000,
  ages: true,
  async read(clients, { network, address }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    for (const read of network === 'mainnet' ? [dedustPool, stonFiPool] : []) {
      const pool = await read(client, height, address);
      if (pool) return { height, data: pool };
    }
    return { height, data: null };
  },
});

const slice = (cell: Cell): TupleItem => ({ type: 'slice', cell });

/** Whether the contract that deploys the pools of an exchange gives this one for its assets: anyone can claim to be a pool. */
async function isPoolOf(
  client: GetMethods,
  seqno: number,
  exchange: string,
  args: readonly TupleItem[],
  pool: string,
): Promise<boolean> {
  const { value } = await askContract(client, seqno, exchange, 'get_pool_address', args, stack =>
    stack.readAddress().toRawString(),
  );
  return value === pool;
}

/** Of DeDust; a pool is stable or volatile. */
const dedustPool: ReadPool = async (client, seqno, address) => {
  const { value: assets } = await askContract(
    client,
    seqno,
    address,
    'get_assets',
    [],
    stack => [stack.readCell(), stack.readCell()] as const,
  );
  if (!assets) return null;
  const stable = await askContract(client, seqno, address, 'is_stable', [], stack => stack.readBoolean());
  const type: TupleItem = { type: 'int', value: stable.value ? 1n : 0n };
  if (!(await isPoolOf(client, seqno, DEDUST_FACTORY, [type, ...assets.map(slice)], address))) return null;
  const [first, second] = assets.map(dedustAsset);
  return first && second ? { exchange: 'dedust', assets: [first, second] } : null;
};

/** `native$0000 = Asset` or `jetton$0001 workchain_id:int8 address:uint256 = Asset`; null for another one. */
export function dedustAsset(cell: Cell): NonNullable<JettonPoolObserved>['assets'][number] | null {
  const asset = cell.beginParse();
  const kind = asset.loadUint(4);
  if (kind === 0) return { type: 'native' };
  if (kind !== 1) return null;
  const workchain = asset.loadInt(8);
  return { type: 'jetton', address: new Address(workchain, asset.loadBuffer(32)).toRawString() };
}

/** Of STON.fi, which has jettons only: coins are wrapped in one. A pool names the wallets of the router. */
const stonFiPool: ReadPool = async (client, seqno, address) => {
  const { value: wallets } = await askContract(client, seqno, address, 'get_pool_data', [], stack => {
    stack.skip(2); // reserves
    return [stack.readAddress(), stack.readAddress()] as const;
  });
  if (!wallets) return null;
  const args = wallets.map(wallet => slice(beginCell().storeAddress(wallet).endCell()));
  if (!(await isPoolOf(client, seqno, STON_FI_ROUTER, args, address))) return null;
  const [first, second] = await Promise.all(
    wallets.map(async wallet => (await readJettonWallet(client, wallet.toRawString(), seqno)).wallet),
  );
  if (first?.owner !== STON_FI_ROUTER || second?.owner !== STON_FI_ROUTER) return null;
  return {
    exchange: 'ston-fi',
    assets: [
      { type: 'jetton', address: first.master },
      { type: 'jetton', address: second.master },
    ],
  };
};
