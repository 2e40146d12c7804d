import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { pino } from 'pino';
import {
  type SolanaDevnet,
  type SolanaDevnetOptions,
  startSolanaDevnet,
} from '../../infra/devnet/solana/devnet';

export const SOL = 1_000_000_000;

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tidemark-solana-'));

/** A network whose slots pass only when it is told to, unless told otherwise. */
export const manualDevnet = (options: Partial<SolanaDevnetOptions> = {}): Promise<SolanaDevnet> =>
  startSolanaDevnet({
    dataDir: temporaryFolder(),
    network: 'devnet',
    slotMs: 0,
    skipEvery: 0,
    logger: pino({ level: 'warn' }),
    ...options,
  });

/** web3.js keeps a WebSocket open while there are subscriptions, and has no way to close it. */
const hangUp = (connection: Connection): void => {
  (connection as unknown as { _rpcWebSocket: { close(): void } })._rpcWebSocket.close();
};

/** A network for the tests of one file. */
export const devnetForTests = (options: Partial<SolanaDevnetOptions> = {}) => {
  const dataDir = temporaryFolder();
  let devnet: SolanaDevnet;
  beforeAll(async () => {
    devnet = await manualDevnet({ dataDir, ...options });
  });
  const connections: Connection[] = [];
  afterAll(async () => {
    connections.forEach(hangUp);
    await devnet.close();
    rmSync(dataDir, { recursive: true, force: true });
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
};

export const funded = async (devnet: SolanaDevnet, sol = 10): Promise<Keypair> => {
  const key = Keypair.generate();
  await devnet.airdrop(key.publicKey.toBase58(), BigInt(sol * SOL));
  return key;
};

/** Sends SOL and answers with the signature; preflight included. */
export const sendSol = async (
  connection: Connection,
  from: Keypair,
  to: Keypair,
  lamports: number,
): Promise<string> => {
  const transaction = new Transaction().add(
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports }),
  );
  return connection.sendTransaction(transaction, [from]);
};

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export const post = async (url: string, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** A call as it goes over the wire, past web3.js. */
export const rpc = async (url: string, method: string, params?: unknown): Promise<RpcAnswer> => {
  const response = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return (await response.json()) as RpcAnswer;
};
