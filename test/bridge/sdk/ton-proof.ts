import { createHash } from 'node:crypto';
import type { Address } from '@ton/core';
import { sign, signVerify, type KeyPair } from '@ton/crypto';
import type { TonProofItemReplySuccess } from '@tonconnect/protocol';

type Proof = TonProofItemReplySuccess['proof'];

const sha256 = (...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** What is signed, by the specification of TON Connect ("ton_proof"). */
function signedHash(account: Address, { timestamp, domain, payload }: Omit<Proof, 'signature'>): Buffer {
  const [workchain, domainLength, time] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.alloc(8)];
  workchain.writeInt32BE(account.workChain);
  domainLength.writeUInt32LE(domain.lengthBytes);
  time.writeBigUInt64LE(BigInt(timestamp));
  const message = ['ton-proof-item-v2/', workchain, account.hash, domainLength, domain.value, time, payload];
  return sha256(Buffer.from([0xff, 0xff]), 'ton-connect', sha256(...message));
}

/** The proof that the owner of a key gives to a dApp. */
export function proveOwnership(account: Address, keys: KeyPair, host: string, payload: string): Proof {
  const domain = { lengthBytes: Buffer.byteLength(host), value: host };
  const unsigned = { timestamp: Math.floor(Date.now() / 1_000), domain, payload };
  const signature = sign(signedHash(account, unsigned), keys.secretKey).toString('base64');
  return { ...unsigned, signature };
}

/** Whether a proof was signed for the account with the key. */
export function isProven(account: Address, publicKey: Buffer, proof: Proof): boolean {
  return signVerify(signedHash(account, proof), Buffer.from(proof.signature, 'base64'), publicKey);
}
