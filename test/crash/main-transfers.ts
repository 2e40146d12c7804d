import { randomBytes } from 'node:crypto';
import { Address } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { base58 } from '../../infra/devnet/solana/svm/base58';
import { send } from '../e2e/client';
import { until } from '../until';
import { sendTon, tonWalletOf } from '../e2e/wallets';
import { keepUp, type Target } from './main-target';

/** The two ends of a flow of transfers on both chains. All of the accounts are watched. */
export interface Flow {
  readonly tonSender: ReturnType<typeof tonWalletOf>;
  readonly tonReceiver: Address;
  readonly solanaSender: Keypair;
  readonly solanaReceiver: Keypair;
  readonly ton: Transfers;
  readonly solana: Transfers;
}

/** Transfers by what tells them apart: a comment, a signature. */
export interface Transfers {
  readonly acknowledged: Set<string>;
  readonly unsure: Set<string>;
}

const noTransfers = (): Transfers => ({ acknowledged: new Set(), unsure: new Set() });

export function createFlow(): Flow {
  return {
    tonSender: tonWalletOf(keyPairFromSeed(randomBytes(32)), 'v5r1'),
    tonReceiver: new Address(0, randomBytes(32)),
    solanaSender: Keypair.generate(),
    solanaReceiver: Keypair.generate(),
    ton: noTransfers(),
    solana: noTransfers(),
  };
}

const TON = 1_000_000_000n;
const SOL = 1_000_000_000;

/** Gives both senders what they will spend, and waits until they have it. */
export async function fund({ ton, tonFaucet, solana }: Target, flow: Flow): Promise<void> {
  const { address } = flow.tonSender.contract;
  const granted = await send(tonFaucet, 'POST', '', {
    body: JSON.stringify({ address: address.toRawString(), amount: String(100_000n * TON) }),
  });
  expect(granted.status).toBe(200);
  for (const { publicKey } of [flow.solanaSender, flow.solanaReceiver])
    await solana.requestAirdrop(publicKey, 900 * SOL);
  await until(
    async () => {
      const { last } = await ton.getLastBlock();
      return (await ton.getAccountLite(last.seqno, address)).account.balance.coins;
    },
    coins => BigInt(coins) > 0n,
  );
}

/** Tried first and acknowledged later, or never: what is remembered in between is what a crash leaves open. */
async function attempt(
  { dead }: Target,
  transfers: Transfers,
  key: string,
  sending: () => Promise<unknown>,
): Promise<void> {
  transfers.unsure.add(key);
  await Promise.race([sending(), dead]);
  transfers.unsure.delete(key);
  transfers.acknowledged.add(key);
}

/** One transfer after the other on each chain: the node has stored one before the next is signed. */
export function transferLoad(target: Target, flow: Flow): Promise<void>[] {
  return [
    keepUp(target, () => {
      const comment = `transfer ${randomBytes(12).toString('hex')}`;
      return attempt(target, flow.ton, comment, () =>
        sendTon(target.ton, flow.tonSender, { to: flow.tonReceiver, nanotons: TON / 100n, comment }),
      );
    }),
    keepUp(target, async () => {
      const { blockhash } = await Promise.race([target.solana.getLatestBlockhash(), target.dead]);
      const { solanaSender: from, solanaReceiver: to } = flow;
      // Another amount each time, or two transfers within one block would be one transaction.
      const lamports = 1_000 + flow.solana.acknowledged.size + flow.solana.unsure.size;
      const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash }).add(
        SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports }),
      );
      transaction.sign(from);
      const wire = transaction.serialize();
      const signature = base58(transaction.signature!);
      await attempt(target, flow.solana, signature, () => target.solana.sendRawTransaction(wire));
    }),
  ];
}
