import { randomBytes } from 'node:crypto';
import { fromBase58 } from '../svm/base58';
import type { Chain } from '../chain/chain';
import type { Intake } from '../chain/intake';
import type { SigningKey } from './keypair';
import { MEMO, SYSTEM } from '../svm/programs';
import { parseTransaction } from '../svm/wire';

/** Gives SOL away, by ordinary transfers from an account that was founded with the chain. */
export interface Faucet {
  readonly address: string;
  /** @returns the signature of the transfer, durable by then. @throws Refused */
  airdrop(to: string, lamports: bigint): Promise<string>;
}

const TRANSFER_TAG = 2;

/** A legacy message: the faucet pays and signs; the receiver; the system and the memo program. */
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

export function createFaucet(key: SigningKey, chain: Chain, intake: Intake): Faucet {
  return {
    address: key.address,
    airdrop: (to, lamports) => {
      const blockhash = fromBase58(chain.window.recent[0]!.blockhash)!;
      // Two airdrops alike within one block would be one transaction.
      const memo = Buffer.from(`local faucet ${randomBytes(4).toString('hex')}`);
      const message = transferMessage(key.publicKey, fromBase58(to)!, blockhash, lamports, memo);
      const wire = Buffer.concat([Buffer.from([1]), key.sign(message), message]);
      return intake.submit(parseTransaction(wire), false);
    },
  };
}
