import { randomBytes } from 'node:crypto';
import { fromBase58 } from '../svm/base58';
import type { Chain } from '../chain/chain';
import type { TransactionProcessor } from '../chain/transaction-processor';
import type { SigningKey } from './keypair';
import { MEMO, SYSTEM } from '../svm/programs';
import { parseTransaction } from '../svm/wire';

/** Sends SOL by ordinary transfers from a genesis account. */
export interface Faucet {
  readonly address: string;
  /** @returns the signature of the transfer, durable by then. @throws Refused */
  airdrop(to: string, lamports: bigint): Promise<string>;
}

const TRANSFER_TAG = 2;

/** A legacy message with the accounts faucet (payer), receiver, system program, memo program. */
const transferMessage = (
  from: Buffer,
  to: Buffer,
  blockhash: Buffer,
  lamports: bigint,
  memo: Buffer,
): Buffer => {
  const transfer = Buffer.alloc(12);
  transfer.writeUInt32LE(TRANSFER_TAG);
  transfer.writeBigUInt64LE(lamports, 4);
  return Buffer.concat([
    Buffer.from([1, 0, 2, 4]),
    from,
    to,
    SYSTEM.bytes,
    MEMO.bytes,
    blockhash,
    Buffer.from([2]),
    Buffer.from([2, 2, 0, 1, transfer.length]),
    transfer,
    Buffer.from([3, 0, memo.length]),
    memo,
  ]);
};

export function createFaucet(key: SigningKey, chain: Chain, processor: TransactionProcessor): Faucet {
  return {
    address: key.address,
    airdrop: (to, lamports) => {
      const blockhash = fromBase58(chain.unfinalized.recent[0]!.blockhash)!;
      // Without it, two equal airdrops within one block would be the same transaction.
      const memo = Buffer.from(`local faucet ${randomBytes(4).toString('hex')}`);
      const message = transferMessage(key.publicKey, fromBase58(to)!, blockhash, lamports, memo);
      const wire = Buffer.concat([Buffer.from([1]), key.sign(message), message]);
      return processor.submit(parseTransaction(wire), false);
    },
  };
}
