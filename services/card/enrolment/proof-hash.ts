import { decodeBase58 } from '../../../contracts/encoding/base58';
import { sha256 } from '../../../contracts/encoding/sha256';

/** What a wallet has signed, without its address. */
export interface ProofText {
  /** UTF-8, as the proof names it. */
  readonly domain: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly payload: string;
}

const ITEM_PREFIX = Buffer.from('ton-proof-item-v2/');
const SIGNED_PREFIX = Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.from('ton-connect')]);

/**
 * What a wallet of TON signs ("ton_proof" of TON Connect): 32 bytes.
 * @param address raw
 */
export function tonProofHash(address: string, text: ProofText): Buffer {
  const [workchain, hash] = address.split(':') as [string, string];
  const account = Buffer.alloc(4);
  account.writeInt32BE(Number(workchain));
  return signedHash(Buffer.concat([account, Buffer.from(hash, 'hex')]), text);
}

/** The same of Solana: its key stands for workchain and hash. @param address base58 */
export function solanaProofHash(address: string, text: ProofText): Buffer {
  return signedHash(Buffer.from(decodeBase58(address)!), text);
}

function signedHash(account: Buffer, { domain, timestamp, payload }: ProofText): Buffer {
  const host = Buffer.from(domain);
  const [length, time] = [Buffer.alloc(4), Buffer.alloc(8)];
  length.writeUInt32LE(host.length);
  time.writeBigUInt64LE(BigInt(timestamp));
  const message = Buffer.concat([ITEM_PREFIX, account, length, host, time, Buffer.from(payload)]);
  return sha256(Buffer.concat([SIGNED_PREFIX, sha256(message)]));
}
