/** A call of a program by an instruction of a transaction. */
export interface Call {
  readonly program: string;
  readonly data: Buffer;
}

export interface ComputeBudget {
  readonly units: bigint;
  /** Micro-lamports for each unit. */
  readonly price: bigint;
}

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

/** Programs that are part of the runtime; those that became ordinary programs, such as Stake, are not. */
const BUILTINS = new Set([
  COMPUTE_BUDGET,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
]);
/** Compute units of an instruction when the transaction sets no limit (SIMD-0170), and the maximum of a transaction. */
const BUILTIN_UNITS = 3_000n;
const PROGRAM_UNITS = 200_000n;
const MAX_UNITS = 1_400_000n;

const REQUEST_HEAP_FRAME = 1;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;
const SET_LOADED_ACCOUNTS_DATA_SIZE_LIMIT = 4;

const KIBIBYTE = 1_024;
const MIN_HEAP_FRAME = 32 * KIBIBYTE;
const MAX_HEAP_FRAME = 256 * KIBIBYTE;

/** What a node takes when the instructions of the program contradict each other or cannot be read. */
const REFUSED: ComputeBudget = { units: MAX_UNITS, price: 0n };

/** The compute units that a transaction may use and what it pays for each. Layout: `ComputeBudgetInstruction`, Borsh. */
export function computeBudget(calls: readonly Call[]): ComputeBudget {
  const settings = new Map<number, bigint>();
  for (const { program, data } of calls) {
    if (program !== COMPUTE_BUDGET) continue;
    const value = settingOf(data);
    if (value === null || settings.has(data[0]!)) return REFUSED;
    settings.set(data[0]!, value);
  }
  const allotted = calls.reduce(
    (sum, { program }) => sum + (BUILTINS.has(program) ? BUILTIN_UNITS : PROGRAM_UNITS),
    0n,
  );
  const units = settings.get(SET_COMPUTE_UNIT_LIMIT) ?? allotted;
  return {
    units: units < MAX_UNITS ? units : MAX_UNITS,
    price: settings.get(SET_COMPUTE_UNIT_PRICE) ?? 0n,
  };
}

/** The value of an instruction; null when a node refuses it. */
function settingOf(data: Buffer): bigint | null {
  switch (data[0]) {
    case REQUEST_HEAP_FRAME: {
      const bytes = data.length < 5 ? 0 : data.readUInt32LE(1);
      const isValid = bytes >= MIN_HEAP_FRAME && bytes <= MAX_HEAP_FRAME && bytes % KIBIBYTE === 0;
      return isValid ? BigInt(bytes) : null;
    }
    case SET_COMPUTE_UNIT_LIMIT:
      return data.length < 5 ? null : BigInt(data.readUInt32LE(1));
    case SET_COMPUTE_UNIT_PRICE:
      return data.length < 9 ? null : data.readBigUInt64LE(1);
    case SET_LOADED_ACCOUNTS_DATA_SIZE_LIMIT: {
      const bytes = data.length < 5 ? 0 : data.readUInt32LE(1);
      return bytes === 0 ? null : BigInt(bytes);
    }
    default:
      return null;
  }
}
