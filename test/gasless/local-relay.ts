import type { Address } from '@ton/core';
import { beginCell, type Cell, internal, type MessageRelaxed, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { WalletContractV5R1 } from '@ton/ton';
import type { TonNetwork } from '../../contracts/network/network';
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
import { openEmulatorThreads } from '../../infra/engines/ton-emulator/emulator-threads';
import { createTonEmulator } from '../../infra/engines/ton-emulator/ton-emulator';
import { commissionBody } from '../../services/gasless/quote/quote';
import { clientOf, quietDevnet, silent } from '../devnet/ton';

/** A local network with a relay wallet that has coins, and a user who has a jetton and no coins at all. */
export interface LocalRelay {
  readonly network: TonNetwork;
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
  /** The same for many, at most 250, by one message. */
  mintAll(owners: readonly Address[], amount: bigint): Promise<void>;
  close(): Promise<void>;
}

export const USER_JETTONS = 5_000_000n;

export const RELAY = localWallet('relay', 'v5r1', 'testnet');
export const ISSUER = localWallet('issuer', 'v5r1', 'testnet');
/** The jetton that pays for transfers. */
export const PAID = jettonMaster(ISSUER.contract.address, { name: 'Paid', symbol: 'PAID', decimals: 6 });

/** The relayer's view of a network: what a program needs to run one. */
export interface RelayView extends Pick<
  LocalRelay,
  'network' | 'client' | 'emulator' | 'relay' | 'user' | 'master' | 'jettonWalletOf'
> {
  /** Ends its calls of the network. */
  stop(): void;
}

/** @param urls of the HTTP API v4 of a local network, with the jetton of `startLocalRelay` */
export async function relayView(
  urls: readonly string[],
  network: TonNetwork = 'testnet',
): Promise<RelayView> {
  const closing = new AbortController();
  const client = createTonClient({ urls, logger: silent, signal: closing.signal });
  const threads = openEmulatorThreads(silent);
  return {
    network,
    client,
    emulator: createTonEmulator({ client, threads, now: Date.now }),
    relay: localWallet('relay', 'v5r1', network),
    user: localWallet('user', 'v5r1', network),
    master: PAID.address,
    jettonWalletOf: owner => jettonWalletAddress(PAID.address, owner),
    stop() {
      closing.abort();
      void threads.close();
    },
  };
}

/** @param existing default: a network of its own, which ends with it */
export async function startLocalRelay(
  existing?: TonDevnet,
  network: TonNetwork = 'testnet',
): Promise<LocalRelay> {
  const devnet = existing ?? (await quietDevnet({ network }));
  const api = clientOf(devnet.url);
  const { stop, ...view } = await relayView([devnet.url], network);
  for (const { contract } of [view.relay, ISSUER])
    await devnet.faucet(contract.address.toRawString(), toNano(50));

  const mintAll = (owners: readonly Address[], amount: bigint): Promise<void> =>
    transfer(
      api,
      ISSUER,
      owners.map(to =>
        internal({
          to: PAID.address,
          value: toNano('0.2'),
          init: PAID.init,
          body: mintBody({ to, amount, value: toNano('0.1') }),
        }),
      ),
    );
  await mintAll([view.user.contract.address], USER_JETTONS);

  return {
    ...view,
    devnet,
    api,
    mintAll,
    mint: (to, amount) => mintAll([to], amount),
    async close() {
      stop();
      if (!existing) await devnet.close();
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
export async function coinsOf({ client }: Pick<LocalRelay, 'client'>, address: Address): Promise<bigint> {
  const { seqno } = await client.getLastBlock();
  return (await client.getAccount(seqno, address.toRawString())).balance;
}

/** Smallest units of the jetton that an account owns. */
export async function jettonsOf(
  { client, jettonWalletOf }: Pick<LocalRelay, 'client' | 'jettonWalletOf'>,
  owner: Address,
): Promise<bigint> {
  const { seqno } = await client.getLastBlock();
  try {
    const wallet = jettonWalletOf(owner).toRawString();
    return (await client.runMethod(seqno, wallet, 'get_wallet_data')).readBigNumber();
  } catch (error) {
    if (error instanceof GetMethodFailed) return 0n;
    throw error;
  }
}
