import {
  type Connection,
  type Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
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
