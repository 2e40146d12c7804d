import { movesLamports, NOTHING, type ReadEffects } from './effect';

const CREATE_ACCOUNT = 0;
const TRANSFER = 2;
const CREATE_ACCOUNT_WITH_SEED = 3;
const WITHDRAW_NONCE_ACCOUNT = 5;
const TRANSFER_WITH_SEED = 11;
const CREATE_ACCOUNT_ALLOW_PREFUND = 13;

/** u32 tag, 32 bytes of base key, u64 length of the seed. */
const SEED = 44;

/** Layout: `SystemInstruction`, bincode; the first member is mostly the amount, u64. */
export const systemEffects: ReadEffects = ({ accounts: [first, second, third] }, bytes) => {
  if (bytes.length < 12) return NOTHING;
  switch (bytes.readUInt32LE(0)) {
    case CREATE_ACCOUNT:
      return movesLamports('create-account', first, second, bytes.readBigUInt64LE(4));
    case CREATE_ACCOUNT_WITH_SEED: {
      const at = bytes.length < SEED ? Infinity : SEED + Number(bytes.readBigUInt64LE(36));
      if (at + 8 > bytes.length) return NOTHING;
      return movesLamports('create-account', first, second, bytes.readBigUInt64LE(at));
    }
    // The payer comes second, and is absent when the account has enough already (SIMD-0312).
    case CREATE_ACCOUNT_ALLOW_PREFUND:
      return movesLamports('create-account', second, first, bytes.readBigUInt64LE(4));
    case TRANSFER:
    case WITHDRAW_NONCE_ACCOUNT:
      return movesLamports('transfer-lamports', first, second, bytes.readBigUInt64LE(4));
    case TRANSFER_WITH_SEED:
      return movesLamports('transfer-lamports', first, third, bytes.readBigUInt64LE(4));
    default:
      return NOTHING;
  }
};
