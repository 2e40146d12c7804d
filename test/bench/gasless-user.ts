import { Address, Cell, internal, SendMode } from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton';
import { request } from 'undici';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { PAID, RELAY } from '../gasless/local-relay';
import { carrierOf, wantedMessage } from '../gasless/relayer';
import { jettonWalletAddress } from '../../infra/devnet/ton/jetton/jetton';

const RECEIVER = localWallet('gasless receiver', 'v4r2', 'testnet').contract.address;
const AMOUNT = 1_000n;
/** Seconds. */
const VALID_FOR = 300;

interface Quoted {
  readonly ok: boolean;
  readonly error?: string;
  readonly messages: readonly {
    readonly address: string;
    readonly amount: string;
    readonly payload: string;
  }[];
}

const users = new Map<number, LocalWallet>();

/** A wallet that has a jetton and no coins, not even deployed. It makes its key once, as an application does. */
export function gaslessUser(n: number): LocalWallet {
  const user = users.get(n) ?? localWallet(`gasless user ${n}`, 'v5r1', 'testnet');
  users.set(n, user);
  return user;
}

/** What it wants to send, as an application asks for the price of it. */
export function wantedBy(user: LocalWallet): Cell {
  const jettonWalletOf = (owner: Address): Address => jettonWalletAddress(PAID.address, owner);
  return wantedMessage({ relay: RELAY, user, jettonWalletOf }, { to: RECEIVER, amount: AMOUNT });
}

/** Calls as from an address of its own for each user. */
async function call<Answer extends { readonly ok: boolean }>(
  url: string,
  n: number,
  body: object,
): Promise<Answer> {
  const { body: answered } = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    },
    body: JSON.stringify(body),
  });
  const answer = (await answered.json()) as Answer;
  if (!answer.ok) throw new Error(`${url} refuses: ${JSON.stringify(answer)}`);
  return answer;
}

export function estimateOf(url: string, n: number): Promise<Quoted> {
  const user = gaslessUser(n);
  return call(`${url}/gasless/testnet/estimate`, n, {
    data: {
      wallet_address: user.contract.address.toRawString(),
      wallet_public_key: user.keys.publicKey.toString('hex'),
      messages: [{ boc: wantedBy(user).toBoc().toString('hex') }],
    },
    master: PAID.address.toRawString(),
  });
}

/** What the wallet posts of a quote: its first request. */
export async function signed(n: number, { messages }: Quoted): Promise<string> {
  const user = gaslessUser(n);
  const body = await (user.contract as WalletContractV5R1).createTransfer({
    authType: 'internal',
    seqno: 0,
    timeout: Math.floor(Date.now() / 1_000) + VALID_FOR,
    signer: user.signer,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    messages: messages.map(({ address, amount, payload }) =>
      internal({ to: Address.parse(address), value: BigInt(amount), body: Cell.fromHex(payload) }),
    ),
  });
  return carrierOf(user, user.contract.init, body).toString('hex');
}

export function send(url: string, n: number, boc: string): Promise<{ readonly ok: boolean }> {
  const publicKey = gaslessUser(n).keys.publicKey.toString('hex');
  return call(`${url}/gasless/testnet/send`, n, { wallet_public_key: publicKey, boc });
}
