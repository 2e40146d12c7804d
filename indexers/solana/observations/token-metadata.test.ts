import { PublicKey } from '@solana/web3.js';
import type { SolanaAccountInfo } from '../../../contracts/ports/solana-client';
import { METADATA_PROGRAM, NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs';
import { readMint } from './mint';
import { metaplexAddress, tokenName } from './token-metadata';

const MINT = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const account = (owner: string, ...parts: readonly Buffer[]): SolanaAccountInfo => ({
  owner,
  data: Buffer.concat(parts),
});

function mintBytes(): Buffer {
  const bytes = Buffer.alloc(82);
  bytes.writeUInt32LE(1, 0);
  new PublicKey(MINT).toBuffer().copy(bytes, 4);
  bytes.writeBigUInt64LE(18_446_744_073_709_551_615n, 36);
  bytes[44] = 5;
  bytes[45] = 1;
  return bytes;
}
function extended(...entries: readonly { type: number; value: Buffer }[]): SolanaAccountInfo {
  const tlv = entries.map(({ type, value }) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(value.length, 2);
    return Buffer.concat([head, value]);
  });
  return account(TOKEN_2022_PROGRAM, mintBytes(), Buffer.alloc(83), Buffer.from([1]), ...tlv);
}
const metadata = (name: string, symbol: string): Buffer =>
  Buffer.concat([Buffer.alloc(64), text(name), text(symbol), text('https://example.org')]);
const metaplex = (name: string, symbol: string, owner = METADATA_PROGRAM): SolanaAccountInfo =>
  account(owner, Buffer.from([4]), metadata(name.padEnd(32, '\0'), symbol.padEnd(10, '\0')));

test('a mint is parsed, its supply to the last digit', () => {
  expect(readMint(account(TOKEN_PROGRAM, mintBytes()))).toMatchObject({
    mintAuthority: MINT,
    freezeAuthority: null,
    supply: 18_446_744_073_709_551_615n,
    decimals: 5,
  });
});

test.each([
  ['another program', account(METADATA_PROGRAM, mintBytes())],
  ['too few bytes', account(TOKEN_PROGRAM, Buffer.alloc(81))],
])('an account of %s is not a mint', (_, found) => expect(readMint(found)).toBeNull());

test('the name in the mint itself comes first, also behind other extensions', () => {
  const mint = readMint(
    extended({ type: 18, value: Buffer.alloc(64) }, { type: 19, value: metadata('Own', 'OWN') }),
  );
  expect(tokenName(MINT, mint, metaplex('Listed', 'LST'))).toEqual({ name: 'Own', symbol: 'OWN' });
});

test('then the name from Metaplex, without its padding', () => {
  const mint = readMint(extended());
  expect(tokenName(MINT, mint, metaplex('Bonk', 'BONK'))).toEqual({ name: 'Bonk', symbol: 'BONK' });
});

test('a name is shown in the order in which it is written', () => {
  const mint = readMint(extended());
  const named = metaplex('US\u202eD', '\u2066U');
  expect(tokenName(MINT, mint, named)).toEqual({ name: 'USD', symbol: 'U' });
});

test.each([
  ['is not of Metaplex', metaplex('Fake', 'FAKE', TOKEN_PROGRAM)],
  ['is cut off', account(METADATA_PROGRAM, Buffer.from([4]), Buffer.alloc(66))],
  [
    'claims more than there is',
    account(METADATA_PROGRAM, Buffer.alloc(65), Buffer.from([255, 255, 0, 0, 65])),
  ],
  ['has no name', metaplex('', '')],
  ['has no name to see', metaplex('\u200b', 'S')],
  ['is not there', null],
])('with an account that %s the name is made from the address', (_, found) => {
  expect(tokenName(MINT, null, found)).toEqual({ symbol: 'DezX', name: 'Token DezX…B263' });
});

test('wrapped SOL has a name without any account', () => {
  expect(tokenName(NATIVE_MINT, null, null)).toEqual({ symbol: 'SOL', name: 'Wrapped SOL' });
});

test('the metadata account of USDC has the address that Metaplex derives', () => {
  const usdc = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
  expect(metaplexAddress(usdc).toBase58()).toBe('5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq');
});
