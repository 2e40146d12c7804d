import type { Address } from '@ton/core';
import { beginCell, type Cell, internal, type MessageRelaxed, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { WalletContractV5R1 } from '@ton/ton';
import { GetMethodFailed, type TonClient } from '../../contracts/ports/ton-client';
import type { TonEmulator } from '../../contracts/ports/ton-emulator';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import {
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
  type JettonTransfer,
} from '../../infra/devnet/ton/jetton/jetton';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { createTonEmulator } from '../../infra/engines/ton-emulator/ton-emulator';
import { openTvm } from '../../infra/engines/tvm/tvm';
import { commissionBody } from '../../services/gasless/quote/quote';
import { clientOf, quietDevnet, silent } from '../devnet/ton';

/** A local network with a relay wallet that has coins, and a user who has a jetton and no coins at all. */
export interface LocalRelay {
  readonly devnet: TonDevnet;
  readonly api: TonClient4;
  readonly client: TonClient;
  readonly emulator: TonEmulator;
  readonly relay: LocalWallet;
  readonly user: LocalWallet;
  readonly master: Address;
  jettonWalletOf(owner: Address): Address;
  /** Mints for an owner. */
  mint(to: Address, amount: bigint): Promise<void>;
  close(): Promise<void>;
}

export const USER_JETTONS = 5_000_000n;

export async function startLocalRelay(): Promise<LocalRelay> {
  const devnet = await quietDevnet();
  const closing = new AbortController();
  const api = clientOf(devnet.url);
  const client = createTonClient({ urls: [devnet.url], logger: silent, signal: closing.signal });
  const tvm = await openTvm(() => undefined);
  const relay = localWallet('relay', 'v5r1', 'testnet');
  const user = localWallet('user', 'v5r1', 'testnet');
  const issuer = localWallet('issuer', 'v5r1', 'testnet');
  for (const { contract } of [relay, issuer]) await devnet.faucet(contract.address.toRawString(), toNano(50));

  const metadata = { name: 'Paid', symbol: 'PAID', decimals: 6 };
  const jetton = jettonMaster(issuer.contract.address, metadata);
  const mint = (to: Address, amount: bigint): Promise<void> =>
    transfer(api, issuer, [
      internal({
        to: jetton.address,
        value: toNano('0.2'),
        init: jetton.init,
        body: mintBody({ to, amount, value: toNano('0.1') }),
      }),
    ]);
  await mint(user.contract.address, USER_JETTONS);

  return {
    ...{ devnet, api, client, relay, user, mint },
    emulator: createTonEmulator({ client, tvm, now: Date.now }),
    master: jetton.address,
    jettonWalletOf: owner => jettonWalletAddress(jetton.address, owner),
    async close() {
      closing.abort();
      await devnet.close();
    },
  };
}

export interface SignedTerms {
  readonly to: Address;
  readonly amount: bigint;
  readonly commission: bigint;
  readonly seqno?: number;
  readonly sendMode?: number;
  readonly value?: bigint;
  readonly validUntil?: number;
  readonly more?: Partial<JettonTransfer>;
}

/** The two messages of a gasless transfer, in the form that wallet applications give them. */
export function gaslessMessages(
  { relay, user, jettonWalletOf }: LocalRelay,
  { to, amount, commission, value = toNano('0.06'), more }: SignedTerms,
): MessageRelaxed[] {
  const response = relay.contract.address;
  const jettonWallet = jettonWalletOf(user.contract.address);
  const empty = beginCell().endCell();
  const body = jettonTransferBody({ to, amount, response, forwardValue: 1n, forwardPayload: empty, ...more });
  const paid = commissionBody({ relay: response.toRawString(), commission });
  return [
    internal({ to: jettonWallet, value, body }),
    internal({ to: jettonWallet, value: toNano('0.05'), body: paid }),
  ];
}

/** What the user signs, by the published library. */
export function signedByUser(local: LocalRelay, terms: SignedTerms): Promise<Cell> {
  const { contract, signer } = local.user;
  return (contract as WalletContractV5R1).createTransfer({
    authType: 'internal',
    seqno: terms.seqno ?? 0,
    signer,
    timeout: terms.validUntil ?? 2_000_000_000,
    sendMode: terms.sendMode ?? 3,
    messages: gaslessMessages(local, terms),
  });
}

/** Nanotons of an account. */
export async function coinsOf({ client }: LocalRelay, address: Address): Promise<bigint> {
  const { seqno } = await client.getLastBlock();
  return (await client.getAccount(seqno, address.toRawString())).balance;
}

/** Smallest units of the jetton that an account owns. */
export async function jettonsOf({ client, jettonWalletOf }: LocalRelay, owner: Address): Promise<bigint> {
  const { seqno } = await client.getLastBlock();
  try {
    const wallet = jettonWalletOf(owner).toRawString();
    return (await client.runMethod(seqno, wallet, 'get_wallet_data')).readBigNumber();
  } catch (error) {
    if (error instanceof GetMethodFailed) return 0n;
    throw error;
  }
}
