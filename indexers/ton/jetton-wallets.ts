import { Address, beginCell, type TupleItem, type TupleReader } from '@ton/core';
import { LRUCache } from 'lru-cache';
import type { JettonWallet, JettonWallets } from '../../contracts/chain/ton-jetton';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import { GetMethodFailed, type TonClient } from '../../contracts/ports/ton-client';

/**
 * Which of the addresses (raw) are jetton wallets, as their masters confirm as of a masterchain block; null: the newest one.
 * @throws Error when the source does not answer
 */
export type VerifyJettonWallets = (
  addresses: readonly string[],
  seqno: number | null,
) => Promise<JettonWallets>;

/** What was found at an address. */
interface Found {
  readonly wallet: JettonWallet | null;
  /** The block as of which there is no contract, which may change in the next one; null when there is one. */
  readonly absentAt: number | null;
}

const MAX_CACHED = 50_000;
/** A contract may be replaced, so it is asked again whether it has become a jetton wallet. */
const NOT_A_WALLET_TTL_MS = 600_000;
/** Failures of a method, with a source that answers otherwise, before the contract is held responsible. */
const MAX_FAILURES = 2;

/** The contract of the network's configuration, which every network has. */
const CONFIG_CONTRACT = `-1:${'5'.repeat(64)}`;

/**
 * Verifies jetton wallets (TEP-74): `get_wallet_data` of a wallet names its owner and master, and `get_wallet_address` of
 * the master must give the wallet for that owner. A wallet never changes its owner or master, so it is read once.
 */
export function createJettonWalletVerifier(
  client: Pick<TonClient, 'getLastBlock' | 'runMethod'>,
): VerifyJettonWallets {
  const cache = new LRUCache<string, Found>({ max: MAX_CACHED });
  const reading = new Map<string, Promise<Found>>();

  async function read(address: string, seqno: number): Promise<Found> {
    const found = await readWallet(client, address, seqno);
    const isPermanent = found.wallet !== null || found.absentAt !== null;
    cache.set(address, found, isPermanent ? {} : { ttl: NOT_A_WALLET_TTL_MS });
    return found;
  }

  async function find(address: string, seqno: number): Promise<Found> {
    const cached = cache.get(address);
    if (cached && (cached.absentAt === null || cached.absentAt === seqno)) return cached;
    const key = `${address}/${seqno}`;
    const started = reading.get(key) ?? read(address, seqno).finally(() => reading.delete(key));
    reading.set(key, started);
    return started;
  }

  return async (addresses, seqno) => {
    const at = seqno ?? (await client.getLastBlock()).seqno;
    const found = await Promise.all(
      addresses.map(async address => [address, (await find(address, at)).wallet] as const),
    );
    return Object.fromEntries(found);
  };
}

async function readWallet(
  client: Pick<TonClient, 'runMethod'>,
  address: string,
  seqno: number,
): Promise<Found> {
  const data = await ask(client, seqno, address, 'get_wallet_data', [], stack => {
    stack.readBigNumber(); // balance
    return { owner: stack.readAddress().toRawString(), master: stack.readAddress().toRawString() };
  });
  if (!data.value) return { wallet: null, absentAt: data.ran ? null : seqno };
  const { owner, master } = data.value;
  const cell = beginCell().storeAddress(Address.parseRaw(owner)).endCell();
  const confirmed = await ask(client, seqno, master, 'get_wallet_address', [{ type: 'slice', cell }], stack =>
    stack.readAddress().toRawString(),
  );
  return { wallet: confirmed.value === address ? { master, owner } : null, absentAt: null };
}

/**
 * Runs a get method of a contract that may be hostile. `value` is null when the contract fails, is absent (`ran` is
 * then false), or answers with something else.
 */
async function ask<T>(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  address: string,
  method: string,
  args: readonly TupleItem[],
  read: (stack: TupleReader) => T,
): Promise<{ readonly value: T | null; readonly ran: boolean }> {
  for (let failures = 1; ; failures++) {
    let stack: TupleReader;
    try {
      stack = await client.runMethod(seqno, address, method, args);
    } catch (error) {
      if (error instanceof GetMethodFailed) return { value: null, ran: error.exitCode > 0 };
      if (!(await answers(client, seqno))) throw error;
      // Servers fail to send some stacks, for example with a continuation: a contract could stop the indexer with one.
      if (failures === MAX_FAILURES) return { value: null, ran: true };
      continue;
    }
    try {
      return { value: read(stack), ran: true };
    } catch {
      return { value: null, ran: true };
    }
  }
}

/** Whether the source runs get methods of other contracts. */
async function answers(client: Pick<TonClient, 'runMethod'>, seqno: number): Promise<boolean> {
  try {
    await client.runMethod(seqno, CONFIG_CONTRACT, 'no_such_method');
    return true;
  } catch (error) {
    return error instanceof GetMethodFailed;
  }
}

/** The addresses (raw) that the messages of a transaction name as jetton wallets. */
export function namedJettonWallets({ inMessage, outMessages, unsent }: TonTransaction): string[] {
  const named = new Set<string>();
  for (const { info, jetton } of [...(inMessage ? [inMessage] : []), ...outMessages, ...unsent]) {
    if (!jetton || info.type !== 'internal') continue;
    switch (jetton.type) {
      case 'transfer':
      case 'burn':
        named.add(info.dest);
        break;
      case 'transfer_notification':
      case 'burn_notification':
      case 'excesses':
      case 'bounced':
        named.add(info.src);
        break;
      case 'internal_transfer':
        named.add(info.src).add(info.dest);
        break;
      case 'mint':
        // Between an owner and a master.
        break;
    }
  }
  return [...named];
}
