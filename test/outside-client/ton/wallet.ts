import { randomBytes } from 'node:crypto';
import {
  beginCell,
  external,
  SendMode,
  storeMessage,
  type Address,
  type Cell,
  type MessageRelaxed,
  type Transaction,
} from '@ton/core';
import { keyPairFromSeed, type KeyPair } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import type { Node } from './node';

type Contract = WalletContractV4 | WalletContractV5R1;

const GLOBAL_ID = { mainnet: -239, testnet: -3 };
const VALID_SECONDS = 300;

export interface Wallet {
  readonly name: string;
  readonly contract: Contract;
  readonly keys: KeyPair;
  readonly address: Address;
}

export function createWallet(name: string, version: 'v4' | 'v5', { isTestnet }: Node): Wallet {
  const keys = keyPairFromSeed(randomBytes(32));
  const { publicKey } = keys;
  const networkGlobalId = isTestnet ? GLOBAL_ID.testnet : GLOBAL_ID.mainnet;
  const contract =
    version === 'v4'
      ? WalletContractV4.create({ workchain: 0, publicKey })
      : WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId } });
  return { name, contract, keys, address: contract.address };
}

export interface Order {
  readonly messages: readonly MessageRelaxed[];
  /** Default: fees paid separately, errors ignored, as wallet apps send. */
  readonly mode?: SendMode;
  /** For a relayer to send; a v5 wallet only. */
  readonly internal?: boolean;
}

export interface SignedRequest {
  readonly wallet: Wallet;
  readonly seqno: number;
  readonly messages: readonly MessageRelaxed[];
  readonly body: Cell;
  /** The external message. */
  readonly message: Cell;
}

/** Signs an order for the current seqno of a wallet; the message also deploys the wallet where it is not yet. */
export async function sign(
  { client }: Node,
  wallet: Wallet,
  { messages, mode, internal = false }: Order,
): Promise<SignedRequest> {
  const { contract, keys, address } = wallet;
  const { last, now } = await client.getLastBlock();
  const seqno = await client.open<Contract>(contract).getSeqno();
  const order = {
    seqno,
    secretKey: keys.secretKey,
    sendMode: mode ?? SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    timeout: now + VALID_SECONDS,
    messages: [...messages],
  };
  const body =
    contract instanceof WalletContractV4
      ? contract.createTransfer(order)
      : contract.createTransfer({ ...order, authType: internal ? 'internal' : 'external' });
  const deployed = await client.isContractDeployed(last.seqno, address);
  return {
    wallet,
    seqno,
    messages,
    body,
    message: externalMessage(address, body, deployed ? undefined : contract.init),
  };
}

export function externalMessage(to: Address, body: Cell, init?: { code: Cell; data: Cell }): Cell {
  return beginCell()
    .store(storeMessage(external({ to, body, ...(init && { init }) })))
    .endCell();
}

/** Sends an external message; resolves with the transaction that it became. */
export async function deliver(node: Node, to: Address, message: Cell, body: Cell): Promise<Transaction> {
  const seqno = await node.tip();
  await node.client.sendMessage(message.toBoc());
  return node.transactionAfter(
    seqno,
    to,
    ({ inMessage }) => inMessage?.info.type === 'external-in' && inMessage.body.equals(body),
  );
}
