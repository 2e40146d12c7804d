import { createHash } from 'node:crypto';
import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import {
  type AddressLookupTableAccount,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { until } from '../../until';
import type { LocalNetwork } from './local-network';

/** USDC of the local network, at its address on the real one. */
export const USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** What a row must say of a transaction: what its sender meant to do. */
export interface Meaning {
  readonly type: string;
  readonly source?: string;
  /** Lines `kind from to mint amount`: token accounts, or `-` for none; in the smallest unit. */
  readonly tokens?: readonly string[];
  /** Lines `from to lamports`. */
  readonly lamports?: readonly string[];
}

export interface SentTransaction {
  /** What it does, for the message of a failed test. */
  readonly name: string;
  readonly signature: string;
  /** Base64, as the app asks for its fee. */
  readonly wire: string;
  /** Null for a consensus vote, which no history shows. */
  readonly meaning: Meaning | null;
}

interface SendOptions {
  readonly tables?: readonly AddressLookupTableAccount[];
  /** Sends it although it will fail. */
  readonly fails?: boolean;
}

/** The faucet of a local network, which may mint its USDC; its key is public. */
const faucet = (): Keypair =>
  Keypair.fromSeed(createHash('sha256').update('tidemark local network: faucet').digest());

/** A chain on which an outside client sends transactions, and remembers what they meant. */
export class Chain {
  readonly connection: Connection;
  readonly faucet = faucet();
  readonly sent: SentTransaction[] = [];
  readonly #named = new Set<string>();
  #amounts = 1_000;

  constructor(
    { endpoint, websocket }: LocalNetwork,
    readonly spl: typeof Spl,
  ) {
    this.connection = new Connection(endpoint, { commitment: 'processed', wsEndpoint: websocket });
  }

  /** Every address that a sent transaction names. */
  named(): string[] {
    return [...this.#named];
  }

  /** Another number than before: equal transactions of one block would be the same one. */
  amount(): number {
    return ++this.#amounts;
  }

  /** A new key with 50 SOL. */
  async funded(): Promise<Keypair> {
    const key = Keypair.generate();
    await this.connection.requestAirdrop(key.publicKey, 50 * LAMPORTS_PER_SOL);
    return key;
  }

  /** Signs and sends; the first signer pays. The local network has run the transaction when this resolves. */
  async send(
    name: string,
    meaning: Meaning | null,
    instructions: readonly TransactionInstruction[],
    signers: readonly [Keypair, ...Keypair[]],
    { tables, fails = false }: SendOptions = {},
  ): Promise<SentTransaction> {
    const { blockhash: recentBlockhash } = await this.connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: signers[0].publicKey,
      recentBlockhash,
      instructions: [...instructions],
    });
    const transaction = new VersionedTransaction(
      tables ? message.compileToV0Message([...tables]) : message.compileToLegacyMessage(),
    );
    transaction.sign([...signers]);
    const bytes = transaction.serialize();
    const signature = await this.connection.sendRawTransaction(bytes, {
      skipPreflight: fails || meaning === null,
    });
    for (const key of message.compileToLegacyMessage().accountKeys) this.#named.add(key.toBase58());
    const sent = { name, signature, wire: Buffer.from(bytes).toString('base64'), meaning };
    this.sent.push(sent);
    return sent;
  }

  /** Resolves when a slot after the given one, by default the current one, is processed. */
  async laterSlot(slot?: number): Promise<number> {
    const from = slot ?? (await this.connection.getSlot('processed'));
    return until(
      () => this.connection.getSlot('processed'),
      current => current > from,
    );
  }

  tokenAccount(mint: PublicKey, owner: PublicKey, program = this.spl.TOKEN_PROGRAM_ID): PublicKey {
    return this.spl.getAssociatedTokenAddressSync(mint, owner, false, program);
  }

  rent(bytes: number): Promise<number> {
    return this.connection.getMinimumBalanceForRentExemption(bytes);
  }
}

/** A line of `Meaning.lamports`. */
export function lamportLine(from: PublicKey, to: PublicKey, lamports: number | bigint): string {
  return `${from.toBase58()} ${to.toBase58()} ${lamports}`;
}

/** A line of `Meaning.tokens`. */
export function tokenLine(
  kind: string,
  from: PublicKey | null,
  to: PublicKey | null,
  mint: PublicKey,
  amount: number | bigint,
): string {
  return [kind, from?.toBase58() ?? '-', to?.toBase58() ?? '-', mint.toBase58(), amount].join(' ');
}
