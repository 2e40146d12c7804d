import { decodeBase58 } from '../../../contracts/base58';
import { SYSTEM_PROGRAM } from '../programs';
import type { Instruction } from './instructions';

/** Lamports moved by one instruction; `deposit` when they pay the rent of a new account. */
export interface NativeMovement {
  readonly from: string;
  readonly to: string;
  readonly lamports: bigint;
  readonly deposit: boolean;
}

const CREATE_ACCOUNT = 0;
const TRANSFER = 2;
const CREATE_ACCOUNT_WITH_SEED = 3;
const WITHDRAW_NONCE_ACCOUNT = 5;
const TRANSFER_WITH_SEED = 11;

/** The lamports that an instruction of the system program moves; null for others. Layout: `SystemInstruction`, bincode. */
export function nativeMovement({ programId, accounts, data }: Instruction): NativeMovement | null {
  if (programId !== SYSTEM_PROGRAM) return null;
  const bytes = decodeBase58(data);
  if (!bytes || bytes.length < 12) return null;
  const view = new DataView(bytes.buffer);
  const [from, second, third] = accounts;
  const movement = (to: string | undefined, at: number, deposit: boolean): NativeMovement | null =>
    from !== undefined && to !== undefined && bytes.length >= at + 8
      ? { from, to, lamports: view.getBigUint64(at, true), deposit }
      : null;
  switch (view.getUint32(0, true)) {
    case CREATE_ACCOUNT:
      return movement(second, 4, true);
    case CREATE_ACCOUNT_WITH_SEED: {
      // u32 tag, 32 bytes of base key, u64 length of the seed, the seed
      if (bytes.length < 44) return null;
      return movement(second, 44 + Number(view.getBigUint64(36, true)), true);
    }
    case TRANSFER:
    case WITHDRAW_NONCE_ACCOUNT:
      return movement(second, 4, false);
    case TRANSFER_WITH_SEED:
      return movement(third, 4, false);
    default:
      return null;
  }
}
