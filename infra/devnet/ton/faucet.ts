import {
  Address,
  Cell,
  type MessageRelaxed,
  SendMode,
  beginCell,
  comment,
  external,
  internal,
  loadShardAccount,
  storeMessage,
} from '@ton/core';
import { parseTonAddress } from '../../../contracts/address';
import type { Chain } from './chain/chain';
import type { Receipt } from './chain/execution';
import { FAUCET_KEYS, faucetWallet } from './chain/genesis';
import { Unavailable } from './chain/mempool';

/** Where the coins are: the faucet's own transaction, which sent them, in masterchain block `seqno`. */
export interface Gift {
  readonly seqno: number;
  readonly lt: string;
  readonly hash: string;
}

export interface Faucet {
  /** Sends coins to a raw address. Resolves once the transfer is stored. */
  give(address: string, nanotons: bigint): Promise<Gift>;
}

/** Most nanotons at once: a million TON. */
const MOST = 1_000_000n * 1_000_000_000n;

type Grant = { readonly address: string; readonly amount: bigint } | { readonly fault: string };

/** Reads what was asked for: an address and nanotons as a decimal string. */
export function parseGrant(address: unknown, amount: unknown): Grant {
  const parsed = typeof address === 'string' ? parseTonAddress(address) : null;
  if (!parsed) return { fault: 'address is neither a friendly nor a raw TON address' };
  if (typeof amount !== 'string' || !/^[1-9]\d{0,18}$/.test(amount) || BigInt(amount) > MOST) {
    return { fault: `amount must be nanotons as a decimal string, at most ${MOST}` };
  }
  return { address: parsed.raw, amount: BigInt(amount) };
}

interface Request {
  readonly message: MessageRelaxed;
  readonly resolve: (gift: Gift) => void;
  readonly reject: (error: Error) => void;
}

/** Messages that one W5 transaction can send. */
const MOST_ACTIONS = 255;
const FOR_EVER = 0xffff_ffff;

/**
 * A W5 wallet that holds all coins at the start. It sends for real: every gift is a transfer with a transaction on
 * both sides. Requests that come while a transfer is under way go together into the next.
 */
export function createFaucet(chain: Chain): Faucet {
  const wallet = faucetWallet(chain.network);
  const address = wallet.address.toRawString();
  const waiting: Request[] = [];
  let sending = false;

  function seqno(): number {
    const boc = chain.ledger.account(address, chain.tip().seqno)!;
    const state = loadShardAccount(Cell.fromBoc(boc)[0]!.beginParse()).account!.storage.state;
    if (state.type !== 'active') throw new Error('the faucet is not active');
    return state.state.data!.beginParse().skip(1).loadUint(32);
  }

  function transfer(messages: MessageRelaxed[]): Promise<Receipt> {
    const body = wallet.createTransfer({
      seqno: seqno(),
      secretKey: FAUCET_KEYS.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      timeout: FOR_EVER,
      messages,
    });
    const cell = beginCell()
      .store(storeMessage(external({ to: wallet.address, body })))
      .endCell();
    return chain.submit({ cell, destination: address });
  }

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
    while (waiting.length > 0) await send(waiting.splice(0, MOST_ACTIONS));
    sending = false;
  }

  return {
    give: (to, nanotons) =>
      new Promise((resolve, reject) => {
        const message = internal({
          to: Address.parseRaw(to),
          value: nanotons,
          bounce: false,
          body: comment('Tidemark local faucet'),
        });
        waiting.push({ message, resolve, reject });
        if (!sending) void drain();
      }),
  };
}
