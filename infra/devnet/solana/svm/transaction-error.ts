import {
  type FailedTransactionMetadata,
  InstructionErrorBorshIo,
  InstructionErrorCustom,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInstructionError,
  TransactionErrorInsufficientFundsForRent,
} from 'litesvm/dist/internal';
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './error-names';

type InstructionFault = string | { readonly Custom: number };

/** Solana's JSON form of a transaction error: serde's enum, as RPC answers and web3.js carry it. */
export type TransactionError =
  | string
  | { readonly InstructionError: readonly [number, InstructionFault] }
  | { readonly DuplicateInstruction: number }
  | { readonly InsufficientFundsForRent: { readonly account_index: number } }
  | { readonly ProgramExecutionTemporarilyRestricted: { readonly account_index: number } };

const instructionFault = (fault: ReturnType<TransactionErrorInstructionError['err']>): InstructionFault => {
  if (fault instanceof InstructionErrorCustom) return { Custom: fault.code };
  if (fault instanceof InstructionErrorBorshIo) return 'BorshIoError';
  return INSTRUCTION_ERRORS[fault as number] ?? 'GenericError';
};

export function transactionError(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err();
  if (error instanceof TransactionErrorInstructionError)
    return { InstructionError: [error.index, instructionFault(error.err())] };
  if (error instanceof TransactionErrorDuplicateInstruction) return { DuplicateInstruction: error.index };
  if (error instanceof TransactionErrorInsufficientFundsForRent)
    return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? 'SanitizeFailure';
  return { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } };
}

/** The validator's texts for common errors. */
const SENTENCES: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SignatureFailure: 'Transaction did not pass signature verification',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
  AccountLoadedTwice: 'Account loaded twice',
};

/** The text of an error, for the message of a failed preflight. */
export function describeError(error: TransactionError): string {
  if (typeof error === 'string') return SENTENCES[error] ?? error;
  if (!('InstructionError' in error)) return JSON.stringify(error);
  const [index, fault] = error.InstructionError;
  const reason = typeof fault === 'string' ? fault : `custom program error: 0x${fault.Custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${reason}`;
}
