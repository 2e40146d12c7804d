import { fromBase58 } from './base58';

const program = (address: string): { address: string; bytes: Buffer } => ({
  address,
  bytes: fromBase58(address)!,
});

export const SYSTEM = program('11111111111111111111111111111111');
export const TOKEN = program('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022 = program('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ASSOCIATED_TOKEN = program('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const COMPUTE_BUDGET = program('ComputeBudget111111111111111111111111111111');
export const LOOKUP_TABLE = program('AddressLookupTab1e1111111111111111111111111');
export const VOTE = program('Vote111111111111111111111111111111111111111');
export const STAKE = program('Stake11111111111111111111111111111111111111');
export const MEMO = program('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
export const MEMO_V1 = program('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');
export const TOKEN_METADATA = program('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');

export function isTokenProgram(owner: Buffer): boolean {
  return owner.equals(TOKEN.bytes) || owner.equals(TOKEN_2022.bytes);
}

export function isMemoProgram(key: Buffer): boolean {
  return key.equals(MEMO.bytes) || key.equals(MEMO_V1.bytes);
}
