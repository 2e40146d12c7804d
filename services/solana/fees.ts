import { VersionedTransaction } from '@solana/web3.js';
import { decodeBase64 } from '../../contracts/base64';
import { Problem } from '../../contracts/problem';

/** Lamports for each signature, fixed by the protocol. */
const SIGNATURE_FEE = 5_000n;
const MICRO = 1_000_000n;

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

/** Programs whose instructions contain further signatures that are charged; the first byte is their number. */
const PRECOMPILES = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);
const BUILTINS = new Set([
  COMPUTE_BUDGET,
  ...PRECOMPILES,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
]);
/** Compute units of an instruction when the transaction sets no limit (SIMD-0170), and the maximum of a transaction. */
const BUILTIN_UNITS = 3_000n;
const PROGRAM_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;

/**
 * The network fee of a transaction in lamports: for its signatures, and for priority the price of a compute unit
 * (micro-lamports) times its compute units, rounded up. Both follow from the transaction alone.
 * @throws Problem 400 `invalid_transaction` when the bytes are not a transaction
 */
export function transactionFee(base64: string): bigint {
  const { message } = parse(base64);
  let signatures = BigInt(message.header.numRequiredSignatures);
  let price = 0n;
  let limit: bigint | null = null;
  let allotted = 0n;
  for (const { programIdIndex, data } of message.compiledInstructions) {
    const program = message.staticAccountKeys[programIdIndex]?.toBase58();
    const bytes = Buffer.from(data);
    if (program !== undefined && PRECOMPILES.has(program)) signatures += BigInt(bytes[0] ?? 0);
    allotted += program !== undefined && BUILTINS.has(program) ? BUILTIN_UNITS : PROGRAM_UNITS;
    if (program !== COMPUTE_BUDGET) continue;
    if (bytes[0] === SET_COMPUTE_UNIT_LIMIT && bytes.length >= 5) limit = BigInt(bytes.readUInt32LE(1));
    if (bytes[0] === SET_COMPUTE_UNIT_PRICE && bytes.length >= 9) price = bytes.readBigUInt64LE(1);
  }
  const wanted = limit ?? allotted;
  const units = wanted < MAX_UNITS ? wanted : MAX_UNITS;
  return signatures * SIGNATURE_FEE + (price * units + MICRO - 1n) / MICRO;
}

function parse(base64: string): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(decodeBase64(base64)!);
  } catch {
    const message = 'not a serialized Solana transaction';
    throw Problem.invalid('/body/transaction', message, 'invalid_transaction', 'invalid_transaction');
  }
}
