import { Address, type Cell, beginCell, external, storeMessage } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { pino } from 'pino';
import { type TonDevnetOptions, startTonDevnet } from '../../infra/devnet/ton/devnet';
import { temporaryFolder } from '../temporary-folder';
import { sharedDevnetThread } from './shared-thread';

export const silent = pino({ level: 'silent' });

export function clientOf(url: string): TonClient4 {
  return new TonClient4({ endpoint: url, timeout: 60_000 });
}

/** A network, by default without empty blocks, in a folder of its own. */
export function quietDevnet(options: Partial<TonDevnetOptions> = {}): ReturnType<typeof startTonDevnet> {
  return startTonDevnet({
    network: 'testnet',
    dataDir: temporaryFolder(),
    host: '127.0.0.1',
    blockIntervalMs: 60_000,
    logger: silent,
    thread: sharedDevnetThread(),
    ...options,
  });
}

export function externalBoc(to: Address, body: Cell): Buffer {
  return beginCell()
    .store(storeMessage(external({ to, body })))
    .endCell()
    .toBoc();
}

export interface Listed {
  readonly lt: string;
  readonly hash: string;
}

/** Every transaction that blocks 1 to `tip` list, by account. */
export async function listedTransactions(client: TonClient4, tip: number): Promise<Map<string, Listed[]>> {
  const blocks = await Promise.all(Array.from({ length: tip }, (_, i) => client.getBlock(i + 1)));
  const accounts = new Map<string, Listed[]>();
  for (const { account, lt, hash } of blocks.flatMap(({ shards }) => shards.flatMap(s => s.transactions))) {
    accounts.set(account, [...(accounts.get(account) ?? []), { lt, hash }]);
  }
  return accounts;
}

/** Walks an account's history back from its newest transaction by its links. Oldest first. */
export async function walkBack(client: TonClient4, account: string, newest: Listed): Promise<Listed[]> {
  const found: Listed[] = [];
  let lt = BigInt(newest.lt);
  let hash = Buffer.from(newest.hash, 'base64');
  while (lt !== 0n) {
    for (const { tx } of await client.getAccountTransactions(Address.parse(account), lt, hash)) {
      expect([tx.lt, tx.hash().toString('hex')]).toEqual([lt, hash.toString('hex')]);
      found.unshift({ lt: lt.toString(), hash: hash.toString('base64') });
      lt = tx.prevTransactionLt;
      hash = Buffer.from(tx.prevTransactionHash.toString(16).padStart(64, '0'), 'hex');
    }
  }
  return found;
}

/** Checks that what blocks list is, account by account, one unbroken chain of transactions down to the first. */
export async function expectUnbrokenChains(client: TonClient4): Promise<number> {
  const { last } = await client.getLastBlock();
  const accounts = await listedTransactions(client, last.seqno);
  await Promise.all(
    [...accounts].map(async ([account, listed]) => {
      expect(await walkBack(client, account, listed.at(-1)!)).toEqual(listed);
    }),
  );
  return accounts.size;
}
