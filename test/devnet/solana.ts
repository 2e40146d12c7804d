import {
  type AddressLookupTableAccount,
  Connection,
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { pino } from 'pino';
import {
  type SolanaDevnet,
  type SolanaDevnetOptions,
  startSolanaDevnet,
} from '../../infra/devnet/solana/devnet';
import { temporaryFolder } from '../temporary-folder';
import { sharedDevnetThread } from './shared-thread';

export const SOL = 1_000_000_000;

/** A network whose slots pass only by `hooks.advance`, by default. */
export function manualDevnet(options: Partial<SolanaDevnetOptions> = {}): Promise<SolanaDevnet> {
  return startSolanaDevnet({
    dataDir: temporaryFolder(),
    network: 'devnet',
    slotMs: 0,
    skipEvery: 0,
    logger: pino({ level: 'warn' }),
    thread: sharedDevnetThread(),
    ...options,
  });
}

interface Internals {
  _subscriptionsByHash: object;
  readonly _rpcWebSocket: { setAutoReconnect(reconnect: boolean): void; close(): void };
}

/** web3.js reconnects as long as there are subscriptions, and has no option against it. */
const disconnect = (connection: Connection): void => {
  const internals = connection as unknown as Internals;
  internals._subscriptionsByHash = {};
  internals._rpcWebSocket.setAutoReconnect(false);
  internals._rpcWebSocket.close();
};

/** A network for the tests of one file. */
export function devnetForTests(options: Partial<SolanaDevnetOptions> = {}) {
  let devnet: SolanaDevnet;
  beforeAll(async () => {
    devnet = await manualDevnet(options);
  });
  const connections: Connection[] = [];
  afterAll(async () => {
    connections.forEach(disconnect);
    await devnet.close();
  });
  return {
    get devnet() {
      return devnet;
    },
    connection: (commitment: 'processed' | 'confirmed' | 'finalized' = 'processed') => {
      const connection = new Connection(devnet.url, commitment);
      connections.push(connection);
      return connection;
    },
  };
}

export async function funded(devnet: SolanaDevnet, sol = 10): Promise<Keypair> {
  const key = Keypair.generate();
  await devnet.airdrop(key.publicKey.toBase58(), BigInt(sol * SOL));
  return key;
}

export function transfer(from: Keypair, to: PublicKey, lamports: number): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });
}

/** A signed transaction of version 0. */
export async function versionedTransaction(
  connection: Connection,
  payer: Keypair,
  instructions: TransactionInstruction[],
  tables: AddressLookupTableAccount[] = [],
): Promise<VersionedTransaction> {
  const { blockhash: recentBlockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message(tables));
  transaction.sign([payer]);
  return transaction;
}

/** Sends SOL and answers with the signature; preflight included. */
export async function sendSol(
  connection: Connection,
  from: Keypair,
  to: Keypair,
  lamports: number,
): Promise<string> {
  const transaction = new Transaction().add(transfer(from, to.publicKey, lamports));
  return connection.sendTransaction(transaction, [from]);
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export async function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** A JSON-RPC call without web3.js. */
export async function rpc(url: string, method: string, params?: unknown): Promise<RpcAnswer> {
  const response = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return (await response.json()) as RpcAnswer;
}
