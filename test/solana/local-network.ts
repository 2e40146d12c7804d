import {
  Connection,
  Keypair,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
  type AddressLookupTableAccount,
  type TransactionInstruction,
} from '@solana/web3.js';
import pino from 'pino';
import { createSolanaClient } from '../../infra/engines/solana-client/solana-client';
import type { SolanaNetwork } from '../../contracts/network/network';
import type { SolanaClient } from '../../contracts/ports/solana-client';
import { rpcSource } from '../../indexers/solana/rpc-source';
import type { FoundTransaction } from '../../indexers/solana/source';
import { openSlowWay } from '../../infra/devnet/latency';
import { startSolanaDevnet, type SolanaDevnet } from '../../infra/devnet/solana/devnet';
import { sharedDevnetThread } from '../devnet/shared-thread';
import { temporaryFolder } from '../temporary-folder';

/** A local network for tests: funded accounts and transactions. */
export interface LocalNetwork {
  readonly devnet: SolanaDevnet;
  readonly connection: Connection;
  readonly client: SolanaClient;
  readonly logger: pino.Logger;
  /** A new key with 10 SOL. */
  rich(): Promise<Keypair>;
  /** Sends a transaction that the first signer pays for and waits until it is confirmed, also when it failed. */
  send(instructions: readonly TransactionInstruction[], signers: readonly Keypair[]): Promise<string>;
  sendV0(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
    tables: readonly AddressLookupTableAccount[],
  ): Promise<string>;
  transaction(signature: string): Promise<FoundTransaction>;
  /** No node answers any more: of a network that is far away. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

/** @param latencyMs milliseconds that each call of `client` takes longer; default 0 */
export async function startLocalNetwork(
  { latencyMs = 0, ...options }: { slotMs?: number; finalizedAfter?: number; latencyMs?: number } = {},
  name: SolanaNetwork = 'mainnet',
): Promise<LocalNetwork> {
  const dataDir = temporaryFolder();
  const logger = pino({ level: 'silent' });
  const devnet = await startSolanaDevnet({
    dataDir,
    network: name,
    slotMs: 20,
    logger,
    thread: sharedDevnetThread(),
    ...options,
  });
  const stop = new AbortController();
  const connection = new Connection(devnet.url, 'confirmed');
  const way = latencyMs === 0 ? null : await openSlowWay(devnet.url, latencyMs);
  const client = createSolanaClient({
    urls: [{ url: way?.url ?? devnet.url, ws: devnet.wsUrl }],
    logger,
    timeoutMs: 60_000,
    signal: stop.signal,
  });
  const source = rpcSource(client);

  const confirmed = async (signature: string): Promise<string> => {
    for (;;) {
      const { value } = await connection.getSignatureStatus(signature);
      if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized')
        return signature;
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  };
  const submit = async (bytes: Uint8Array): Promise<string> =>
    confirmed(await connection.sendRawTransaction(bytes, { skipPreflight: true }));

  return {
    devnet,
    connection,
    client,
    logger,
    async rich() {
      const key = Keypair.generate();
      await confirmed(await devnet.airdrop(key.publicKey.toBase58(), 10_000_000_000n));
      return key;
    },
    async send(instructions, signers) {
      const { blockhash } = await connection.getLatestBlockhash();
      const transaction = new Transaction({
        feePayer: signers[0]!.publicKey,
        recentBlockhash: blockhash,
      } as never);
      transaction.add(...instructions).sign(...signers);
      return submit(transaction.serialize());
    },
    async sendV0(instructions, signers, tables) {
      const { blockhash } = await connection.getLatestBlockhash();
      const message = new TransactionMessage({
        payerKey: signers[0]!.publicKey,
        recentBlockhash: blockhash,
        instructions: [...instructions],
      }).compileToV0Message([...tables]);
      const transaction = new VersionedTransaction(message);
      transaction.sign([...signers]);
      return submit(transaction.serialize());
    },
    async transaction(signature) {
      const [found] = await source.transactions([signature], 'confirmed');
      if (!found) throw new Error(`no transaction ${signature}`);
      return found;
    },
    disconnect: async () => way?.close(),
    async close() {
      stop.abort();
      await way?.close();
      await devnet.close();
    },
  };
}
