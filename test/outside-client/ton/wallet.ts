import { randomBytes } from 'node:crypto';
import {
  beginCell,
  external,
  SendMode,
  storeMessage,
  type Address,
  type Cell,
  type Contract,
  type ContractProvider,
  type MessageRelaxed,
  type StateInit,
  type Transaction,
} from '@ton/core';
import { keyPairFromSeed, type KeyPair } from '@ton/crypto';
import { WalletContractV2R2, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import type { Node } from './node';

const GLOBAL_ID = { mainnet: -239, testnet: -3 };
const VALID_SECONDS = 300;

/** The published contracts of wallets, of which each is called in the same way. */
const CONTRACTS = {
  v2: (publicKey: Buffer) => WalletContractV2R2.create({ workchain: 0, publicKey }),
  v3: (publicKey: Buffer) => WalletContractV3R2.create({ workchain: 0, publicKey }),
  v4: (publicKey: Buffer) => WalletContractV4.create({ workchain: 0, publicKey }),
  v5: (publicKey: Buffer, networkGlobalId: number) =>
    WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId } }),
};

export type WalletVersion = keyof typeof CONTRACTS;

/** What is signed with every request. */
export interface Signing {
  readonly seqno: number;
  readonly secretKey: Buffer;
  readonly timeout: number;
}

interface Transfer extends Signing {
  readonly sendMode: SendMode;
  readonly messages: MessageRelaxed[];
}

interface WalletContract extends Contract {
  readonly init: StateInit;
  getSeqno(provider: ContractProvider): Promise<number>;
  createTransfer(transfer: Transfer): Cell;
}

export interface Wallet {
  readonly contract: WalletContract;
  readonly keys: KeyPair;
  readonly address: Address;
}

export function createWallet(version: WalletVersion, node: Node): Wallet {
  return walletOf(version, node, keyPairFromSeed(randomBytes(32)));
}

export function walletOf(version: WalletVersion, { network }: Node, keys: KeyPair): Wallet {
  const contract = CONTRACTS[version](keys.publicKey, GLOBAL_ID[network]) as unknown as WalletContract;
  return { contract, keys, address: contract.address };
}

export interface Order {
  readonly messages: readonly MessageRelaxed[];
  /** Default: fees paid separately, errors ignored, as wallet apps send. */
  readonly mode?: SendMode;
  /** Signs the request; default: as an external message to send the messages. */
  readonly create?: (signing: Signing) => Cell | Promise<Cell>;
}

export interface SignedRequest {
  readonly wallet: Wallet;
  /** Null when the owner did not sign it. */
  readonly seqno: number | null;
  readonly messages: readonly MessageRelaxed[];
  readonly body: Cell;
  /** The external message. */
  readonly message: Cell;
  /** The newest masterchain block when it was signed. */
  readonly block: number;
}

export const WALLET_MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS;

/** Signs an order for the current seqno of a wallet; the message also deploys the wallet where it is not yet. */
export async function sign(
  { client }: Node,
  wallet: Wallet,
  { messages, mode: sendMode = WALLET_MODE, create }: Order,
): Promise<SignedRequest> {
  const { contract, keys, address } = wallet;
  const { last, now } = await client.getLastBlock();
  const seqno = await client.openAt(last.seqno, contract).getSeqno();
  const signing = { seqno, secretKey: keys.secretKey, timeout: now + VALID_SECONDS };
  const body = create
    ? await create(signing)
    : contract.createTransfer({ ...signing, sendMode, messages: [...messages] });
  const isDeployed = seqno > 0 || (await client.isContractDeployed(last.seqno, address));
  const message = externalMessage(address, body, isDeployed ? undefined : contract.init);
  return { wallet, seqno, messages, body, message, block: last.seqno };
}

export function externalMessage(to: Address, body: Cell, init?: StateInit): Cell {
  return beginCell()
    .store(storeMessage(external({ to, body, ...(init && { init }) })))
    .endCell();
}

/** Sends an external message; resolves with the transaction that it became after a block. */
export async function deliver(
  node: Node,
  to: Address,
  { message, body, block }: Pick<SignedRequest, 'message' | 'body' | 'block'>,
): Promise<Transaction> {
  await node.client.sendMessage(message.toBoc());
  return node.transactionAfter(
    block,
    to,
    ({ inMessage }) => inMessage?.info.type === 'external-in' && inMessage.body.equals(body),
  );
}
