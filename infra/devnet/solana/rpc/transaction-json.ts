import { base58 } from '../svm/base58';
import type { LedgerTransaction } from '../chain/ledger';
import { unsupportedVersion } from './error';
import type { TransactionEncoding } from './params';
import { type RawMeta, type RawTransaction, accountKeys, parsedTransaction } from './parsed-transaction';
import { readJson } from '../../../../contracts/json/read-json';

type VersionLimit = number | null | undefined;

/** `version` is included only for callers with `maxSupportedTransactionVersion`. @throws -32015 */
const versionField = ({ version }: LedgerTransaction, limit: VersionLimit): string => {
  const known = limit !== null && limit !== undefined;
  if (version !== 'legacy' && !known) throw unsupportedVersion(version);
  return known ? `,"version":${JSON.stringify(version)}` : '';
};

const encoded = (transaction: LedgerTransaction, encoding: TransactionEncoding): string => {
  const { body, meta, wire } = transaction;
  switch (encoding) {
    case 'json':
      return `"meta":${meta},"transaction":${body}`;
    case 'jsonParsed':
      return parsedTransaction(body, meta);
    case 'base64':
      return `"meta":${meta},"transaction":["${wire.toString('base64')}","base64"]`;
    case 'base58':
      return `"meta":${meta},"transaction":["${base58(wire)}","base58"]`;
  }
};

/** The fields of a transaction in an answer, without the braces around them. @throws -32015 */
export function transactionFields(
  transaction: LedgerTransaction,
  encoding: TransactionEncoding,
  limit: VersionLimit,
): string {
  const version = versionField(transaction, limit);
  return encoded(transaction, encoding) + version;
}

/** The same with only the accounts and their balances. @throws -32015 */
export function accountsOnlyJson(transaction: LedgerTransaction, limit: VersionLimit): string {
  const version = versionField(transaction, limit);
  const body = readJson(transaction.body) as RawTransaction;
  const raw = readJson(transaction.meta) as RawMeta;
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = raw;
  const meta = { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances };
  const parts = { accountKeys: accountKeys(body, raw), signatures: body.signatures };
  return `"meta":${JSON.stringify(meta)},"transaction":${JSON.stringify(parts)}${version}`;
}
