import {
  type AddressLookupTableAccount,
  type Connection,
  type Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { MEMO } from '../svm/programs';

/** An instruction of the memo program. */
export function memo(text: string): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(MEMO.address),
    keys: [],
    data: Buffer.from(text),
  });
}

/** Signs and sends; the first signer pays. @returns the signature; a local network has stored the transaction by then */
export async function send(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  signers: readonly [Keypair, ...Keypair[]],
): Promise<string> {
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: signers[0].publicKey, recentBlockhash: blockhash });
  transaction.add(...instructions).sign(...signers);
  return connection.sendRawTransaction(transaction.serialize());
}

/** As `send`, in a transaction of version 0 that takes addresses from a lookup table. */
export async function sendVersioned(
  connection: Connection,
  instructions: readonly TransactionInstruction[],
  signers: readonly [Keypair, ...Keypair[]],
  table: AddressLookupTableAccount,
): Promise<string> {
  const { blockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: signers[0].publicKey,
    recentBlockhash: blockhash,
    instructions: [...instructions],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message([table]));
  transaction.sign([...signers]);
  return connection.sendTransaction(transaction);
}
