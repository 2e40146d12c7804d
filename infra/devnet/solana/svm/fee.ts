import { COMPUTE_BUDGET, SYSTEM } from './programs';
import { fromBase58 } from './base58';
import { type Message, parseTransaction } from './wire';

const LAMPORTS_PER_SIGNATURE = 5000n;
const MICRO = 1_000_000n;
const MAX_UNITS = 1_400_000n;
const UNITS_PER_INSTRUCTION = 200_000n;
/** The default for instructions of builtin programs is lower (SIMD-170). */
const UNITS_PER_BUILTIN = 3_000n;
const SET_LIMIT = 2;
const SET_PRICE = 3;

const BUILTINS = [
  COMPUTE_BUDGET.bytes,
  SYSTEM.bytes,
  ...[
    'Vote111111111111111111111111111111111111111',
    'BPFLoader2111111111111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
    'LoaderV411111111111111111111111111111111111',
    'Ed25519SigVerify111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
  ].map(address => fromBase58(address)!),
];
/** Precompiles, whose signatures cost the same as those of a transaction. */
const PRECOMPILES = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
].map(address => fromBase58(address)!);

const among = (programs: readonly Buffer[], program: Buffer): boolean =>
  programs.some(each => each.equals(program));

/** The price per compute unit of a message, in millionths of a lamport. */
const computeUnitPrice = ({ instructions, keys }: Message): bigint => {
  const price = instructions.find(
    ({ programIdIndex, data }) =>
      keys[programIdIndex]!.equals(COMPUTE_BUDGET.bytes) && data[0] === SET_PRICE && data.length >= 9,
  );
  return price?.data.readBigUInt64LE(1) ?? 0n;
};

const computeUnitLimit = ({ instructions, keys }: Message): bigint => {
  let units = 0n;
  for (const { programIdIndex, data } of instructions) {
    const program = keys[programIdIndex]!;
    if (program.equals(COMPUTE_BUDGET.bytes) && data[0] === SET_LIMIT && data.length >= 5) {
      const limit = BigInt(data.readUInt32LE(1));
      return limit < MAX_UNITS ? limit : MAX_UNITS;
    }
    units += among(BUILTINS, program) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION;
  }
  return units < MAX_UNITS ? units : MAX_UNITS;
};

/**
 * The fee of a message in lamports: 5,000 a signature, and the unit price times the unit limit, rounded up.
 * @see https://solana.com/docs/core/fees
 */
export function feeOfMessage(message: Message): bigint {
  const { instructions, keys, requiredSignatures } = message;
  const inner = instructions
    .filter(({ programIdIndex }) => among(PRECOMPILES, keys[programIdIndex]!))
    .reduce((sum, { data }) => sum + (data[0] ?? 0), 0);
  const signatures = BigInt(requiredSignatures + inner) * LAMPORTS_PER_SIGNATURE;
  const priority = computeUnitPrice(message) * computeUnitLimit(message);
  return signatures + (priority + MICRO - 1n) / MICRO;
}

/** The lowest unit price among signed transactions; 0 for none. */
export function lowestPrice(wires: readonly Buffer[]): number {
  return wires.length === 0
    ? 0
    : Math.min(...wires.map(wire => Number(computeUnitPrice(parseTransaction(wire).message))));
}
