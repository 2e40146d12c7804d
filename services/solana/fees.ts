import { VersionedTransaction, type VersionedMessage } from '@solana/web3.js';
import { decodeBase64 } from '../../contracts/encoding/base64';
import { Problem } from '../../contracts/problem/problem';
import { computeBudget, type Call } from './compute-budget';

/** Lamports for each signature, fixed by the protocol. */
const SIGNATURE_FEE = 5_000n;
const MICRO = 1_000_000n;
const MAX_U64 = 2n ** 64n - 1n;

/** Programs whose instructions contain further signatures that are charged; the first byte is their number. */
const PRECOMPILES = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

/**
 * The network fee of a transaction in lamports, as `getFeeForMessage` of a node: for its signatures, and for priority the
 * price of a compute unit (micro-lamports) times its compute units, rounded up. Both follow from the transaction alone:
 * programs are never in lookup tables.
 * @throws Problem 400 `invalid_transaction` when the bytes are not a transaction that a node would take
 */
export function transactionFee(base64: string): bigint {
  const message = parse(base64);
  const calls = message.compiledInstructions.map(({ programIdIndex, data }): Call => ({
    program: message.staticAccountKeys[programIdIndex]!.toBase58(),
    data: Buffer.from(data),
  }));
  const inner = calls.filter(({ program }) => PRECOMPILES.has(program)).map(({ data }) => data[0] ?? 0);
  const signatures = inner.reduce((sum, count) => sum + count, message.header.numRequiredSignatures);
  const { units, price } = computeBudget(calls);
  const fee = BigInt(signatures) * SIGNATURE_FEE + (price * units + MICRO - 1n) / MICRO;
  return fee < MAX_U64 ? fee : MAX_U64;
}

function parse(base64: string): VersionedMessage {
  try {
    const { message } = VersionedTransaction.deserialize(decodeBase64(base64)!);
    if (isSane(message)) return message;
  } catch {
    // refused below
  }
  const text = 'not a serialized Solana transaction';
  throw Problem.invalid('/body/transaction', text, 'invalid_transaction', 'invalid_transaction');
}

/** The indexes that a transaction has only a byte for. */
const MAX_ACCOUNTS = 256;

/** The checks of `Message::sanitize`: signers and accounts exist, programs are named by the transaction and do not pay. */
function isSane({
  header,
  staticAccountKeys,
  addressTableLookups,
  compiledInstructions,
}: VersionedMessage): boolean {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  const named = staticAccountKeys.length;
  const loaded = addressTableLookups.map(
    ({ writableIndexes, readonlyIndexes }) => writableIndexes.length + readonlyIndexes.length,
  );
  const accounts = loaded.reduce((sum, count) => sum + count, named);
  return (
    numRequiredSignatures + numReadonlyUnsignedAccounts <= named &&
    numReadonlySignedAccounts < numRequiredSignatures &&
    accounts <= MAX_ACCOUNTS &&
    loaded.every(count => count > 0) &&
    compiledInstructions.every(
      ({ programIdIndex, accountKeyIndexes }) =>
        programIdIndex > 0 && programIdIndex < named && accountKeyIndexes.every(index => index < accounts),
    )
  );
}
