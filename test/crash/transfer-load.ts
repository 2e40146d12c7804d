import { randomBytes } from 'node:crypto';
import { Address } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { base58 } from '../../infra/devnet/solana/svm/base58';
import { seqnoOf } from '../../infra/devnet/ton/wallets';
import { send } from '../e2e/client';
import { until } from '../until';
import { sendTon, tonWalletOf } from '../e2e/wallets';
import { repeatUntilKilled, type Target } from './load-target';

/** The two ends of a flow of transfers on both chains. All of the accounts are watched. */
export interface Flow {
  readonly tonSender: ReturnType<typeof tonWalletOf>;
  readonly tonReceiver: Address;
  readonly solanaSender: Keypair;
  readonly solanaReceiver: Keypair;
  readonly ton: Transfers;
  readonly solana: Transfers;
}

/** Transfers, identified by comment (TON) or signature (Solana). */
export interface Transfers {
  readonly acknowledged: Set<string>;
  readonly uncertain: Set<string>;
}

const noTransfers = (): Transfers => ({ acknowledged: new Set(), uncertain: new Set() });

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

/** Funds both senders, and waits for the balance. */
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

/** Until it is acknowledged, a transfer is uncertain, and stays so after a crash. */
async function attempt(
  { exited }: Target,
  transfers: Transfers,
  key: string,
  sending: () => Promise<unknown>,
): Promise<void> {
  transfers.uncertain.add(key);
  await Promise.race([sending(), exited]);
  transfers.uncertain.delete(key);
  transfers.acknowledged.add(key);
}

/** One transfer after the other on each chain: the node has stored one before the next is signed. */
export function transferLoad(target: Target, flow: Flow): Promise<void>[] {
  return [
    repeatUntilKilled(target, () => {
      const comment = `transfer ${randomBytes(12).toString('hex')}`;
      return attempt(target, flow.ton, comment, async () => {
        const transfer = { to: flow.tonReceiver, nanotons: TON / 100n, comment };
        const { seqno } = await sendTon(target.ton, flow.tonSender, transfer);
        // Accepted messages that no block has yet are lost with the node.
        await until(
          () => seqnoOf(target.ton, flow.tonSender.contract),
          current => current > seqno,
        );
      });
    }),
    repeatUntilKilled(target, async () => {
      const { blockhash } = await Promise.race([target.solana.getLatestBlockhash(), target.exited]);
      const { solanaSender: from, solanaReceiver: to } = flow;
      // Distinct amounts: otherwise two transfers within one block would be one transaction.
      const lamports = 1_000 + flow.solana.acknowledged.size + flow.solana.uncertain.size;
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
