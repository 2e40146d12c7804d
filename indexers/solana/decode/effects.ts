import { decodeBase58 } from '../../../contracts/encoding/base58';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from '../programs';
import { NOTHING, type Effect, type ReadEffects } from './effect';
import type { Instruction } from './instructions';
import { stakeEffects, voteEffects } from './stake-instructions';
import { systemEffects } from './system-instructions';
import { tokenEffects } from './token-instructions';

const CREATE = 0;
const CREATE_IDEMPOTENT = 1;

/** The first instruction of the program had no data. */
const associatedTokenEffects: ReadEffects = ({ accounts: [, account, owner, mint] }, bytes) => {
  const tag = bytes[0] ?? CREATE;
  if (tag !== CREATE && tag !== CREATE_IDEMPOTENT) return NOTHING;
  if (account === undefined || owner === undefined || mint === undefined) return NOTHING;
  return [{ kind: 'initialize-token-account', account, tokenAccount: { mint, owner } }];
};

const READERS: ReadonlyMap<string, ReadEffects> = new Map([
  [SYSTEM_PROGRAM, systemEffects],
  [TOKEN_PROGRAM, tokenEffects],
  [TOKEN_2022_PROGRAM, tokenEffects],
  [ASSOCIATED_TOKEN_PROGRAM, associatedTokenEffects],
  [STAKE_PROGRAM, stakeEffects],
  [VOTE_PROGRAM, voteEffects],
]);

/** The effects of instructions of known programs, in the order they ran. */
export function effectsOf(instructions: readonly Instruction[]): Effect[] {
  const effects: Effect[] = [];
  for (const instruction of instructions) {
    const read = READERS.get(instruction.programId);
    const data = read && decodeBase58(instruction.data);
    if (read && data)
      effects.push(...read(instruction, Buffer.from(data.buffer, data.byteOffset, data.length)));
  }
  return effects;
}
