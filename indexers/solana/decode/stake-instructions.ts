import { movesLamports, NOTHING, type ReadEffects } from './effect';

const amountOf = (bytes: Buffer): bigint | null => (bytes.length < 12 ? null : bytes.readBigUInt64LE(4));

/** Layout: `StakeInstruction`, bincode; u32 tag, then the amount, u64. */
export const stakeEffects: ReadEffects = ({ accounts }, bytes) => {
  if (bytes.length < 4) return NOTHING;
  const [first, second] = accounts;
  const amount = amountOf(bytes);
  switch (bytes.readUInt32LE(0)) {
    case 0: // Initialize
    case 9: // InitializeChecked
      return [{ kind: 'initialize-stake', account: first }];
    case 2:
      return [{ kind: 'delegate-stake', account: first }];
    case 3:
      return amount === null ? NOTHING : movesLamports('split-stake', first, second, amount);
    case 4:
      return amount === null ? NOTHING : movesLamports('withdraw-stake', first, second, amount);
    case 5:
      return [{ kind: 'deactivate-stake', account: first }];
    case 7: // all of the second account goes to the first
      return movesLamports('merge-stake', second, first, null);
    case 16: // MoveStake
    case 17: // MoveLamports
      return amount === null ? NOTHING : movesLamports('move-stake', first, second, amount);
    default:
      return NOTHING;
  }
};

const WITHDRAW = 3;

/** Layout: `VoteInstruction`, bincode. */
export const voteEffects: ReadEffects = ({ accounts: [from, to] }, bytes) =>
  bytes.length >= 12 && bytes.readUInt32LE(0) === WITHDRAW
    ? movesLamports('withdraw-vote', from, to, amountOf(bytes))
    : NOTHING;
