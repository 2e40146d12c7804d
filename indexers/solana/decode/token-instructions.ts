import { encodeBase58 } from '../../../contracts/encoding/base58';
import { isNativeMint } from '../programs';
import { movesLamports, NOTHING, type Effect, type ReadEffects } from './effect';
import type { Instruction } from './instructions';

const BATCH = 255;

/**
 * Layouts: `TokenInstruction` of the Token and Token-2022 programs and the instructions of the latter's extensions. Amounts
 * are little-endian 64-bit integers.
 */
export const tokenEffects: ReadEffects = (instruction, bytes) =>
  bytes[0] === BATCH
    ? batched(instruction, bytes).flatMap(each => single(each, each.bytes))
    : single(instruction, bytes);

/**
 * The instructions of a batch of p-token: after the tag, for each the number of its accounts and the length of its data, a
 * byte each, and the data. They take the accounts of the batch in turn, and no batch contains another.
 */
function batched({ accounts }: Instruction, bytes: Buffer): (Accounts & { readonly bytes: Buffer })[] {
  const instructions = [];
  for (let at = 1, account = 0; at + 2 <= bytes.length;) {
    const count = bytes[at]!;
    const end = at + 2 + bytes[at + 1]!;
    if (end > bytes.length || account + count > accounts.length) break;
    const data = bytes.subarray(at + 2, end);
    instructions.push({ accounts: accounts.slice(account, account + count), bytes: data });
    account += count;
    at = end;
  }
  return instructions;
}

type Accounts = Pick<Instruction, 'accounts'>;

function single({ accounts }: Accounts, bytes: Buffer): readonly Effect[] {
  const [a, b, c, d] = accounts;
  const amount = bytes.length >= 9 ? bytes.readBigUInt64LE(1) : null;
  const decimals = bytes[9];
  switch (bytes[0]) {
    case 1:
      return initialized(a, b, c);
    case 16: // InitializeAccount2
    case 18: // InitializeAccount3
      return bytes.length < 33 ? NOTHING : initialized(a, b, encodeBase58(bytes.subarray(1, 33)));
    case 9:
      return movesLamports('close-account', a, b, null);
    case 17: // SyncNative
      return [{ kind: 'wrap', account: a }];
    case 38: // WithdrawExcessLamports: the balances show how much
      return NOTHING;
    case 45:
      return unwrapped(accounts, bytes);
    case 26:
      return transferFeeEffects(accounts, bytes);
    case 27:
      return confidentialEffects(accounts, bytes);
  }
  if (amount === null) return NOTHING;
  switch (bytes[0]) {
    case 3:
      return [{ kind: 'transfer-tokens', tokens: { amount, source: a, destination: b, authority: c } }];
    case 12:
      return [
        {
          kind: 'transfer-tokens',
          tokens: { amount, source: a, mint: b, destination: c, authority: d, decimals },
        },
      ];
    case 7:
      return [{ kind: 'mint', tokens: { amount, mint: a, destination: b } }];
    case 14:
      return [{ kind: 'mint', tokens: { amount, mint: a, destination: b, decimals } }];
    case 8:
      return [{ kind: 'burn', tokens: { amount, source: a, mint: b, authority: c } }];
    case 15:
      return [{ kind: 'burn', tokens: { amount, source: a, mint: b, authority: c, decimals } }];
    default:
      return NOTHING;
  }
}

function initialized(
  account: string | undefined,
  mint: string | undefined,
  owner: string | undefined,
): readonly Effect[] {
  if (account === undefined || mint === undefined || owner === undefined) return NOTHING;
  const created: Effect = { kind: 'initialize-token-account', account, tokenAccount: { mint, owner } };
  // The lamports that an account of wrapped SOL is created with, beyond its rent, are its tokens.
  return isNativeMint(mint) ? [created, { kind: 'wrap', account }] : [created];
}

/** UnwrapLamports: one byte, 0 for everything or 1 and the amount. */
function unwrapped([from, to]: readonly string[], bytes: Buffer): readonly Effect[] {
  const amount = bytes[1] === 1 && bytes.length >= 10 ? bytes.readBigUInt64LE(2) : null;
  if (from === undefined) return NOTHING;
  const unwrap: Effect = { kind: 'unwrap', account: from };
  return amount === null ? [unwrap] : [unwrap, ...movesLamports('transfer-lamports', from, to, amount)];
}

/** `TransferFeeInstruction`. */
function transferFeeEffects([a, b, c, d]: readonly string[], bytes: Buffer): readonly Effect[] {
  switch (bytes[1]) {
    case 1: {
      if (bytes.length < 19) return NOTHING;
      const [amount, fee] = [bytes.readBigUInt64LE(2), bytes.readBigUInt64LE(11)];
      const accounts = { source: a, mint: b, destination: c, authority: d };
      return [{ kind: 'transfer-tokens', tokens: { ...accounts, amount, decimals: bytes[10], fee } }];
    }
    case 2: // from the mint
    case 3: // from token accounts
      return [{ kind: 'withdraw-withheld-fees', account: b }];
    default:
      return NOTHING;
  }
}

/** `ConfidentialTransferInstruction`: how much is in and moves between confidential balances is encrypted. */
function confidentialEffects([a, b, c]: readonly string[], bytes: Buffer): readonly Effect[] {
  const amount = bytes.length >= 11 ? bytes.readBigUInt64LE(2) : null;
  const decimals = bytes[10];
  switch (bytes[1]) {
    case 5:
      if (amount === null) return NOTHING;
      return [{ kind: 'confidential-deposit', tokens: { amount, source: a, mint: b, decimals } }];
    case 6:
      if (amount === null) return NOTHING;
      return [{ kind: 'confidential-withdrawal', tokens: { amount, destination: a, mint: b, decimals } }];
    case 7: // Transfer
    case 13: // TransferWithFee
      return [{ kind: 'confidential-transfer', tokens: { amount: 0n, source: a, mint: b, destination: c } }];
    default:
      return NOTHING;
  }
}
