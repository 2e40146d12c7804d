import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cell, type MessageRelaxed, SendMode } from '@ton/core';
import type { KeyPair } from '@ton/crypto';
import { type TonClient4, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { TON_GLOBAL_IDS, type TonNetwork } from '../../../contracts/network/network';
import { ed25519Key } from '../ed25519';

export type WalletVersion = 'v5r1' | 'v4r2';

type Contract = WalletContractV4 | WalletContractV5R1;

/** A wallet with its keys, deployed or not. */
export interface LocalWallet {
  readonly version: WalletVersion;
  readonly contract: Contract;
  readonly keys: KeyPair;
  /** As clients of @ton/ton take it in place of the secret key. */
  readonly signer: (message: Cell) => Promise<Buffer>;
}

const VALID_SECONDS = 300;

const contractOf = (version: WalletVersion, publicKey: Buffer, network: TonNetwork): Contract =>
  version === 'v4r2'
    ? WalletContractV4.create({ workchain: 0, publicKey })
    : WalletContractV5R1.create({
        publicKey,
        walletId: { networkGlobalId: TON_GLOBAL_IDS[network] },
      });

/** @param privateKey 32 bytes */
export function walletOfKey(privateKey: Buffer, version: WalletVersion, network: TonNetwork): LocalWallet {
  const { publicKey, sign } = ed25519Key(privateKey);
  return {
    version,
    contract: contractOf(version, publicKey, network),
    keys: { publicKey, secretKey: Buffer.concat([privateKey, publicKey]) },
    signer: async message => sign(message.hash()),
  };
}

/** A wallet with a key made of any text, always the same for the same arguments. */
export function localWallet(seed: string, version: WalletVersion, network: TonNetwork): LocalWallet {
  return walletOfKey(createHash('sha256').update(seed).digest(), version, network);
}

/** Messages sent so far, by the wallet's own count; 0 before it is deployed. */
export function seqnoOf(client: TonClient4, contract: Contract): Promise<number> {
  return client.open<Contract>(contract).getSeqno();
}

/** Until the transaction is looked for the first time: the message waits 50 ms for its block. */
const BLOCK_MS = 60;
const POLL_MS = 20;
const MAX_POLLS = 3_000;

/**
 * Sends messages in one external message, which also deploys the wallet the first time. Resolves when its transaction is
 * in a block. A message that the network's clock has left behind, as when somebody lets time pass, is signed again.
 * @throws Error when there is no transaction after a minute
 */
export async function transfer(
  client: TonClient4,
  { contract, signer }: LocalWallet,
  messages: MessageRelaxed[],
): Promise<void> {
  const seqno = await seqnoOf(client, contract);
  for (;;) {
    // The chain's clock, which may be ahead of ours.
    const validUntil = (await client.getLastBlock()).now + VALID_SECONDS;
    // Both versions take the same parameters.
    const body = await (contract as WalletContractV4).createTransfer({
      seqno,
      signer,
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      timeout: validUntil,
      messages,
    });
    try {
      await client.open<Contract>(contract).send(body);
    } catch (error) {
      if ((await client.getLastBlock()).now < validUntil) throw error;
      continue;
    }
    if (await isIncluded(client, contract, seqno, validUntil)) return;
  }
}

/**
 * Waits for the transaction of a message.
 * @returns false when the message has expired without one
 */
async function isIncluded(
  client: TonClient4,
  contract: Contract,
  seqno: number,
  validUntil: number,
): Promise<boolean> {
  await sleep(BLOCK_MS);
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    // Read before the seqno: a block of a later time cannot have the message any more.
    const { now } = await client.getLastBlock();
    if ((await seqnoOf(client, contract)) > seqno) return true;
    if (now >= validUntil) return false;
    await sleep(POLL_MS);
  }
  throw new Error(`${contract.address.toString()}: no transaction`);
}
