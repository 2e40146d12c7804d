import { base58, fromBase58 } from '../svm/base58';
import { ASSOCIATED_TOKEN, MEMO, MEMO_V1, SYSTEM, TOKEN, TOKEN_2022 } from '../svm/programs';
import { uiTokenAmount } from '../svm/token-state';

interface ResolvedInstruction {
  readonly programId: string;
  readonly accounts: readonly string[];
  /** Base58. */
  readonly data: string;
}

interface Parsed {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}
type Parser = (data: Buffer, accounts: readonly string[]) => Parsed | null;

const key = (data: Buffer, at: number): string => base58(data.subarray(at, at + 32));

/** Layout: `SystemInstruction`, a u32 tag and the fields in order. */
const parseSystem: Parser = (data, [first, second]) => {
  switch (data.readUInt32LE(0)) {
    case 0:
      return {
        type: 'createAccount',
        info: {
          source: first,
          newAccount: second,
          lamports: data.readBigUInt64LE(4),
          space: data.readBigUInt64LE(12),
          owner: key(data, 20),
        },
      };
    case 1:
      return { type: 'assign', info: { account: first, owner: key(data, 4) } };
    case 2:
      return {
        type: 'transfer',
        info: { source: first, destination: second, lamports: data.readBigUInt64LE(4) },
      };
    case 8:
      return { type: 'allocate', info: { account: first, space: data.readBigUInt64LE(4) } };
    default:
      return null;
  }
};

/** Layout: `TokenInstruction`, a u8 tag and the fields in order. */
const parseToken: Parser = (data, accounts) => {
  const [first, second, third, fourth] = accounts;
  const amount = (): string => data.readBigUInt64LE(1).toString();
  const checked = () => uiTokenAmount(data.readBigUInt64LE(1), data.readUInt8(9));
  switch (data[0]) {
    case 1:
      return {
        type: 'initializeAccount',
        info: { account: first, mint: second, owner: third, rentSysvar: fourth },
      };
    case 3:
      return {
        type: 'transfer',
        info: { source: first, destination: second, authority: third, amount: amount() },
      };
    case 7:
      return {
        type: 'mintTo',
        info: { mint: first, account: second, mintAuthority: third, amount: amount() },
      };
    case 8:
      return { type: 'burn', info: { account: first, mint: second, authority: third, amount: amount() } };
    case 9:
      return { type: 'closeAccount', info: { account: first, destination: second, owner: third } };
    case 12:
      return {
        type: 'transferChecked',
        info: { source: first, mint: second, destination: third, authority: fourth, tokenAmount: checked() },
      };
    case 14:
      return {
        type: 'mintToChecked',
        info: { mint: first, account: second, mintAuthority: third, tokenAmount: checked() },
      };
    case 17:
      return { type: 'syncNative', info: { account: first } };
    case 18:
      return { type: 'initializeAccount3', info: { account: first, mint: second, owner: key(data, 1) } };
    case 20:
      return {
        type: 'initializeMint2',
        info: { mint: first, decimals: data.readUInt8(1), mintAuthority: key(data, 2) },
      };
    case 26:
      return parseTransferFee(data, accounts);
    case 22:
      return { type: 'initializeImmutableOwner', info: { account: first } };
    default:
      return null;
  }
};

/** Layout: `TransferFeeInstruction`, a second u8 tag and the fields in order. Others than the transfer are not parsed. */
const parseTransferFee: Parser = (data, [source, mint, destination, authority]) =>
  data[1] === 1
    ? {
        type: 'transferCheckedWithFee',
        info: {
          source,
          mint,
          destination,
          authority,
          tokenAmount: uiTokenAmount(data.readBigUInt64LE(2), data.readUInt8(10)),
          feeAmount: uiTokenAmount(data.readBigUInt64LE(11), data.readUInt8(10)),
        },
      }
    : null;

const parseAssociatedToken: Parser = (data, [source, account, wallet, mint, systemProgram, tokenProgram]) => {
  const type = data.length === 0 || data[0] === 0 ? 'create' : data[0] === 1 ? 'createIdempotent' : null;
  return type && { type, info: { source, account, wallet, mint, systemProgram, tokenProgram } };
};

const PARSERS = new Map<string, { readonly program: string; readonly parse: Parser }>([
  [SYSTEM.address, { program: 'system', parse: parseSystem }],
  [TOKEN.address, { program: 'spl-token', parse: parseToken }],
  [TOKEN_2022.address, { program: 'spl-token', parse: parseToken }],
  [ASSOCIATED_TOKEN.address, { program: 'spl-associated-token-account', parse: parseAssociatedToken }],
]);

/**
 * An instruction in the `jsonParsed` encoding: those of the system, token and memo programs that a wallet shows. Others
 * keep their data, as for programs that nodes do not know.
 */
export function parseInstruction(instruction: ResolvedInstruction): object {
  const { programId, accounts, data } = instruction;
  const bytes = fromBase58(data) ?? Buffer.alloc(0);
  if (programId === MEMO.address || programId === MEMO_V1.address)
    return { program: 'spl-memo', programId, parsed: bytes.toString('utf8') };
  const known = PARSERS.get(programId);
  try {
    const parsed = known?.parse(bytes, accounts);
    if (known && parsed) return { program: known.program, programId, parsed };
  } catch (error) {
    // The data is shorter than its tag requires: it is shown unparsed.
    if (!(error instanceof RangeError)) throw error;
  }
  return instruction;
}
