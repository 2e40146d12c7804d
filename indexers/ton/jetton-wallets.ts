import { Address, beginCell, type TupleReader } from '@ton/core';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
import type { JettonWallet, JettonWallets } from '../../contracts/chain/ton-jetton';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import { GetMethodFailed, type TonClient } from '../../contracts/ports/ton-client';
import { askContract } from './get-method';

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

/**
 * Verifies jetton wallets (TEP-74): `get_wallet_data` of a wallet names its owner and master, and `get_wallet_address` of
 * the master must give the wallet for that owner. A wallet never changes its owner or master, so it is read once.
 */
export function createJettonWalletVerifier(
  client: Pick<TonClient, 'getLastBlock' | 'runMethod'>,
): VerifyJettonWallets {
  const cache = new LRUCache<string, Found>(atMost(MAX_CACHED));
  const reading = new Map<string, Promise<Found>>();

  async function read(address: string, seqno: number): Promise<Found> {
    const { wallet, ran } = await readJettonWallet(client, address, seqno);
    const found: Found = {
      wallet: wallet && { master: wallet.master, owner: wallet.owner },
      absentAt: ran ? null : seqno,
    };
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

/** A jetton wallet, and its balance in the smallest unit. */
export interface JettonWalletState extends JettonWallet {
  readonly balance: bigint;
}

/**
 * The jetton wallet at an address (raw), as its master confirms it; null when there is none.
 * @returns `ran`: false when there is no contract
 * @throws Error when the source does not answer
 */
export async function readJettonWallet(
  client: Pick<TonClient, 'runMethod'>,
  address: string,
  seqno: number,
): Promise<{ readonly wallet: JettonWalletState | null; readonly ran: boolean }> {
  const data = await askWalletData(client, seqno, address);
  if (!data.value) return { wallet: null, ran: data.ran };
  const { owner, master } = data.value;
  const confirmed = await walletOf(client, seqno, master, owner);
  return { wallet: confirmed === address ? data.value : null, ran: true };
}

/** What a contract (raw) says of itself by `get_wallet_data` (TEP-74), and nobody has confirmed. As `askContract`. */
export function askWalletData(client: Pick<TonClient, 'runMethod'>, seqno: number, address: string) {
  return askContract(client, seqno, address, 'get_wallet_data', [], readWalletData);
}

/** The first items of `get_wallet_data`; the one after them is the code of the wallet. @throws Error for anything else */
export function readWalletData(stack: TupleReader): JettonWalletState {
  return {
    balance: stack.readBigNumber(),
    owner: stack.readAddress().toRawString(),
    master: stack.readAddress().toRawString(),
  };
}

/** The wallet (raw) of an owner, which a master gives for good; null while the master says nothing. */
export async function knownWalletOf(
  client: Pick<TonClient, 'getJettonWallet'>,
  { master, owner }: { readonly master: string; readonly owner: string },
): Promise<string | null> {
  try {
    return await client.getJettonWallet(master, owner);
  } catch (error) {
    if (error instanceof GetMethodFailed) return null;
    throw error;
  }
}

/** The wallet (raw) that a jetton master (raw) gives for an owner (raw); null when it gives none. */
export async function walletOf(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  master: string,
  owner: string,
): Promise<string | null> {
  const cell = beginCell().storeAddress(Address.parseRaw(owner)).endCell();
  const given = await askContract(
    client,
    seqno,
    master,
    'get_wallet_address',
    [{ type: 'slice', cell }],
    stack => stack.readAddress().toRawString(),
  );
  return given.value;
}

/** The addresses (raw) that the messages of a transaction name as jetton wallets. */
export function namedJettonWallets({ inMessage, outMessages, unsent }: TonTransaction): string[] {
  const named = new Set<string>();
  for (const { info, jetton, staking } of [...(inMessage ? [inMessage] : []), ...outMessages, ...unsent]) {
    if (info.type !== 'internal') continue;
    if (staking?.type === 'usde_claim') named.add(info.dest);
    if (!jetton) continue;
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
