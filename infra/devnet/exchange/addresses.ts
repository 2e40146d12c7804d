import { createHash } from 'node:crypto';
import { Address } from '@ton/core';
import { keccak_256 } from '@noble/hashes/sha3';
import { isSolanaAddress, parseTonAddress } from '../../../contracts/account/address';
import { decodeBase58, encodeBase58 } from '../../../contracts/encoding/base58';
import type { AddressFormat } from './currencies';

type Base58CheckFormat = Extract<
  AddressFormat,
  'bitcoin' | 'bitcoin_cash' | 'litecoin' | 'dogecoin' | 'tron' | 'ripple'
>;

/** Version bytes of addresses in Base58Check (https://en.bitcoin.it/wiki/Base58Check_encoding); the first is that of pay-ins. */
const VERSIONS: Readonly<Record<Base58CheckFormat, readonly number[]>> = {
  bitcoin: [0x05, 0x00],
  bitcoin_cash: [0x00, 0x05],
  litecoin: [0x32, 0x30, 0x05],
  dogecoin: [0x1e, 0x16],
  tron: [0x41],
  ripple: [0x00],
};

/** Other forms, of which only the shape is checked. */
const SHAPES: Partial<Record<AddressFormat, RegExp>> = {
  bitcoin: /^bc1[02-9ac-hj-np-z]{11,87}$/,
  bitcoin_cash: /^(bitcoincash:)?[qp][02-9ac-hj-np-z]{41}$/,
  litecoin: /^ltc1[02-9ac-hj-np-z]{11,87}$/,
  monero: /^[48][1-9A-HJ-NP-Za-km-z]{94}$/,
};

const BITCOIN_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

const translate = (text: string, from: string, to: string): string =>
  [...text].map(character => to[from.indexOf(character)] ?? '0').join('');

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const checksumOf = (payload: Uint8Array): Buffer => sha256(sha256(payload)).subarray(0, 4);

const HASH_BYTES = 20;

function isBase58Check(format: Base58CheckFormat, address: string): boolean {
  const bytes = decodeBase58(
    format === 'ripple' ? translate(address, RIPPLE_ALPHABET, BITCOIN_ALPHABET) : address,
  );
  if (bytes?.length !== 1 + HASH_BYTES + 4 || !VERSIONS[format].includes(bytes[0]!)) return false;
  return checksumOf(bytes.subarray(0, -4)).equals(bytes.subarray(-4));
}

/** The letter case of ERC-55: https://eips.ethereum.org/EIPS/eip-55 */
function withCaseChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(digits)).toString('hex');
  return `0x${[...digits].map((digit, at) => (hash[at]! >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}

function isEvmAddress(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false;
  const digits = address.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || address === withCaseChecksum(address);
}

const MAX_ADDRESS = 128;

/** Whether coins could be sent there. */
export function isAddress(format: AddressFormat, address: string): boolean {
  if (address.length > MAX_ADDRESS) return false;
  if (SHAPES[format]?.test(address)) return true;
  switch (format) {
    case 'evm':
      return isEvmAddress(address);
    case 'ton':
      return parseTonAddress(address) !== null;
    case 'solana':
      return isSolanaAddress(address);
    case 'monero':
      return false;
    default:
      return isBase58Check(format, address);
  }
}

const invert = (bytes: Buffer, from: number): Buffer =>
  Buffer.concat([bytes.subarray(0, from), bytes.subarray(from).map(byte => byte ^ 0xff)]);

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, letter =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/**
 * An address for the payment of an order, which looks like one of its chain and is none, so that no wallet sends coins to it: its
 * checksum is wrong; on Solana, whose addresses have none, it is a byte too long.
 * @param seed the same for the same address
 */
export function payinAddress(format: AddressFormat, seed: string): string {
  const hash = sha256(Buffer.from(seed));
  switch (format) {
    case 'evm':
      // Begins with `a`, so that there is a letter whose case is wrong.
      return `0x${swapCase(withCaseChecksum(`0xa${hash.toString('hex').slice(0, 39)}`).slice(2))}`;
    case 'ton':
      return invert(Buffer.from(new Address(0, hash).toString(), 'base64url'), 34).toString('base64url');
    case 'solana':
      return encodeBase58(Buffer.concat([Buffer.of(0x7f), hash]));
    case 'monero':
      return `4${'0'.repeat(94)}`;
    default: {
      const payload = Buffer.concat([Buffer.of(VERSIONS[format][0]!), hash.subarray(0, HASH_BYTES)]);
      const address = encodeBase58(invert(Buffer.concat([payload, checksumOf(payload)]), payload.length));
      return format === 'ripple' ? translate(address, BITCOIN_ALPHABET, RIPPLE_ALPHABET) : address;
    }
  }
}

/** A hash of a transaction in the form of the chain. No chain has it. */
export function transactionHash(format: AddressFormat, seed: string): string {
  const hash = createHash('sha512').update(seed).digest();
  if (format === 'solana') return encodeBase58(hash);
  const hex = hash.toString('hex').slice(0, 64);
  if (format === 'ripple') return hex.toUpperCase();
  return format === 'evm' ? `0x${hex}` : hex;
}
