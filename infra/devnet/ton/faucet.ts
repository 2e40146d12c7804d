import { Address, type MessageRelaxed, comment, internal } from '@ton/core';
import { parseTonAddress } from '../../../contracts/account/address';
import type { Chain } from './chain/chain';
import { EXTRA_CURRENCY, FAUCET_KEY, faucetWallet } from './chain/genesis';
import { Unavailable } from './chain/mempool';
import { MAX_ACTIONS, chainWallet } from './chain-wallet';

/** The faucet's transaction that sent the coins, in masterchain block `seqno`. */
export interface FaucetGrant {
  readonly seqno: number;
  readonly lt: string;
  readonly hash: string;
}

export interface Faucet {
  /**
   * Sends coins to a raw address. Resolves once the transfer is stored.
   * @param extra smallest units of the extra currency; default: none
   */
  grant(address: string, nanotons: bigint, extra?: bigint): Promise<FaucetGrant>;
}

/** A million TON, in nanotons. */
const MAX_GRANT = 1_000_000n * 1_000_000_000n;

/** Of the extra currency, in its smallest unit. */
const MAX_EXTRA = 1_000_000_000n;

type GrantRequest =
  { readonly address: string; readonly amount: bigint; readonly extra: bigint } | { readonly fault: string };

/** Parses an address, and nanotons and units of the extra currency as decimal strings. */
export function parseGrantRequest(address: unknown, amount: unknown, extra: unknown = '0'): GrantRequest {
  const parsed = typeof address === 'string' ? parseTonAddress(address) : null;
  if (!parsed) return { fault: 'address is neither a friendly nor a raw TON address' };
  if (typeof amount !== 'string' || !/^[1-9]\d{0,18}$/.test(amount) || BigInt(amount) > MAX_GRANT) {
    return { fault: `amount must be nanotons as a decimal string, at most ${MAX_GRANT}` };
  }
  if (typeof extra !== 'string' || !/^(0|[1-9]\d{0,9})$/.test(extra) || BigInt(extra) > MAX_EXTRA) {
    return {
      fault: `extra must be units of currency ${EXTRA_CURRENCY} as a decimal string, at most ${MAX_EXTRA}`,
    };
  }
  return { address: parsed.raw, amount: BigInt(amount), extra: BigInt(extra) };
}

interface Request {
  readonly message: MessageRelaxed;
  readonly resolve: (grant: FaucetGrant) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A W5 wallet that has all coins at the start. Every grant is a transfer with transactions on both sides. Requests that
 * arrive during a transfer are batched into the next.
 */
export function createFaucet(chain: Chain): Faucet {
  const transfer = chainWallet(chain, faucetWallet(chain.network), FAUCET_KEY);
  const waiting: Request[] = [];
  let sending = false;

  async function send(batch: Request[]): Promise<void> {
    try {
      const receipt = await transfer(batch.map(({ message }) => message));
      if (!receipt.included) throw new Unavailable(`the faucet failed: ${receipt.reason}`);
      const { seqno: block, lt, hash } = receipt;
      for (const { resolve } of batch) resolve({ seqno: block, lt, hash });
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
    }
  }

  async function drain(): Promise<void> {
    sending = true;
    while (waiting.length > 0) await send(waiting.splice(0, MAX_ACTIONS));
    sending = false;
  }

  return {
    grant: (to, nanotons, extra = 0n) =>
      new Promise((resolve, reject) => {
        const message = internal({
          to: Address.parseRaw(to),
          value: nanotons,
          bounce: false,
          ...(extra > 0n && { extracurrency: { [EXTRA_CURRENCY]: extra } }),
          body: comment('Tidemark local faucet'),
        });
        waiting.push({ message, resolve, reject });
        if (!sending) void drain();
      }),
  };
}
