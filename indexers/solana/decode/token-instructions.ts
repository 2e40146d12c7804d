import { decodeBase58 } from '../../../contracts/base58';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs';
import type { Instruction } from './instructions';

export function isTokenProgram(programId: string): boolean {
  return programId === TOKEN_PROGRAM || programId === TOKEN_2022_PROGRAM;
}

/** Tokens moved by one instruction; no source when they are minted, no destination when they are burned. */
interface TokenMovement {
  readonly amount: bigint;
  readonly source?: string | undefined;
  readonly destination?: string | undefined;
  readonly authority?: string | undefined;
  /** Plain transfers do not name it: it is that of the token accounts. */
  readonly mint?: string | undefined;
  readonly decimals?: number | undefined;
}

const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;

/**
 * The tokens that an instruction of the Token or Token-2022 program moves; null for others. Layouts: `TokenInstruction`
 * of either program and `TransferFeeInstruction` of the latter; amounts are little-endian 64-bit integers.
 */
export function tokenMovement({ programId, accounts, data }: Instruction): TokenMovement | null {
  if (!isTokenProgram(programId)) return null;
  const bytes = decodeBase58(data);
  if (!bytes || bytes.length < 9) return null;
  const view = new DataView(bytes.buffer);
  const amount = view.getBigUint64(1, true);
  const checked = bytes[9];
  const [a, b, c, d] = accounts;
  switch (bytes[0]) {
    case 3:
      return { amount, source: a, destination: b, authority: c };
    case 12:
      return { amount, source: a, mint: b, destination: c, authority: d, decimals: checked };
    case 7:
      return { amount, mint: a, destination: b };
    case 14:
      return { amount, mint: a, destination: b, decimals: checked };
    case 8:
      return { amount, source: a, mint: b, authority: c };
    case 15:
      return { amount, source: a, mint: b, authority: c, decimals: checked };
    case TRANSFER_FEE_EXTENSION:
      if (bytes[1] !== TRANSFER_CHECKED_WITH_FEE || bytes.length < 11) return null;
      return {
        amount: view.getBigUint64(2, true),
        source: a,
        mint: b,
        destination: c,
        authority: d,
        decimals: bytes[10],
      };
    default:
      return null;
  }
}
