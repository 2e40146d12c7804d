import { FailedTransactionMetadata, type LiteSvm } from 'litesvm/dist/internal';
import type { StoredAccount } from './account';
import { toNative } from './native-account';
import { SYSTEM, TOKEN_2022 } from './programs';

/** Exists only while it pays for the simulation. */
const PAYER = Buffer.alloc(32, 'amount-to-ui-amount');
const PAYING: StoredAccount = {
  lamports: 1_000_000_000n,
  owner: SYSTEM.bytes,
  executable: false,
  data: Buffer.alloc(0),
};
const AMOUNT_TO_UI_AMOUNT = 23;

/** One signature, which is not checked; a legacy message of one instruction, which reads the mint. */
const transactionOf = (mint: Buffer, amount: bigint): Buffer => {
  const data = Buffer.of(AMOUNT_TO_UI_AMOUNT, ...Array<number>(8).fill(0));
  data.writeBigUInt64LE(amount, 1);
  const [signatures, header, keys] = [Buffer.alloc(65), Buffer.of(1, 0, 2), Buffer.of(3)];
  signatures[0] = 1;
  const blockhash = Buffer.alloc(32);
  const instruction = Buffer.of(1, 2, 1, 1, data.length);
  return Buffer.concat([
    signatures,
    header,
    keys,
    PAYER,
    mint,
    TOKEN_2022.bytes,
    blockhash,
    instruction,
    data,
  ]);
};

/** An amount as Token-2022 itself shows it at the clock of the engine; null when it refuses. */
export function amountToUiAmount(svm: LiteSvm, mint: Buffer, amount: bigint): string | null {
  svm.setSigverify(false);
  svm.setAccount(PAYER, toNative(PAYING));
  try {
    const outcome = svm.simulateLegacyTransaction(transactionOf(mint, amount));
    if (outcome instanceof FailedTransactionMetadata) return null;
    return Buffer.from(outcome.meta().returnData().data()).toString();
  } finally {
    svm.setAccount(PAYER, toNative(null));
  }
}
