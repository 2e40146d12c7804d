import { formatUnits } from '../../../../contracts/money/decimal';
import type { StoredAccount } from './account';
import { isTokenProgram, TOKEN } from './programs';

const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
/** Byte 165 of a Token-2022 account with extensions: its type. */
const KIND_AT = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

const STATES = ['uninitialized', 'initialized', 'frozen'] as const;

export interface TokenHolding {
  readonly mint: Buffer;
  readonly owner: Buffer;
  /** In the smallest unit of the mint. */
  readonly amount: bigint;
  readonly state: (typeof STATES)[number];
  readonly delegate: Buffer | null;
  readonly delegatedAmount: bigint;
  /** Lamports reserved for rent when the account wraps SOL. */
  readonly nativeReserve: bigint | null;
  readonly closeAuthority: Buffer | null;
}

export interface TokenMint {
  readonly mintAuthority: Buffer | null;
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: Buffer | null;
}

const isKind = ({ owner, data }: StoredAccount, length: number, kind: number): boolean =>
  isTokenProgram(owner) &&
  (data.length === length || (data.length > KIND_AT && !owner.equals(TOKEN.bytes) && data[KIND_AT] === kind));

const optionalKey = (data: Buffer, at: number): Buffer | null =>
  data.readUInt32LE(at) === 1 ? data.subarray(at + 4, at + 36) : null;

/**
 * A token account of either program; null for anything else and for one that is not initialised.
 * Layout: `Account` of https://github.com/solana-program/token/blob/main/interface/src/state.rs
 */
export function readHolding(account: StoredAccount): TokenHolding | null {
  const { data } = account;
  if (!isKind(account, ACCOUNT_BYTES, KIND_ACCOUNT)) return null;
  const state = STATES[data[108]!];
  if (!state || state === 'uninitialized') return null;
  return {
    mint: data.subarray(0, 32),
    owner: data.subarray(32, 64),
    amount: data.readBigUInt64LE(64),
    delegate: optionalKey(data, 72),
    state,
    nativeReserve: data.readUInt32LE(109) === 1 ? data.readBigUInt64LE(113) : null,
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: optionalKey(data, 129),
  };
}

/** A mint of either program; null for anything else and for one that is not initialised. Layout: `Mint` of the same file. */
export function readMint(account: StoredAccount): TokenMint | null {
  const { data } = account;
  if (!isKind(account, MINT_BYTES, KIND_MINT) || data[45] !== 1) return null;
  return {
    mintAuthority: optionalKey(data, 0),
    supply: data.readBigUInt64LE(36),
    decimals: data[44]!,
    freezeAuthority: optionalKey(data, 46),
  };
}

const INTEREST_BEARING_CONFIG = 10;
const SCALED_UI_AMOUNT_CONFIG = 25;

/** Extensions of Token-2022 by type, in their order. They follow the account type: a u16 type, a u16 length, the value. */
export function* extensionsOf(data: Buffer): Generator<readonly [type: number, value: Buffer]> {
  for (let at = KIND_AT + 1; at + 4 <= data.length;) {
    const type = data.readUInt16LE(at);
    const end = at + 4 + data.readUInt16LE(at + 2);
    if (type === 0 || end > data.length) return;
    yield [type, data.subarray(at + 4, end)];
    at = end;
  }
}

/** Whether amounts of a mint are shown as others than their decimals say. */
export function isRescaled({ data }: StoredAccount): boolean {
  for (const [type] of extensionsOf(data))
    if (type === INTEREST_BEARING_CONFIG || type === SCALED_UI_AMOUNT_CONFIG) return true;
  return false;
}

export interface UiTokenAmount {
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number;
  readonly uiAmountString: string;
}

/** An amount of the smallest unit by its decimals alone, in the four spellings of the RPC. */
export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const uiAmountString = formatUnits(amount, decimals);
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}
