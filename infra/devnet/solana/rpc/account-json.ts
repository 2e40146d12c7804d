import type { StoredAccount } from '../svm/account';
import { base58 } from '../svm/base58';
import { isTokenProgram } from '../svm/programs';
import type { UiAmounts } from '../svm/token-balances';
import { invalidParams } from './error';
import type { AddressedAccount } from '../chain/queries';
import type { AccountEncoding, AccountFilter } from './params';
import { parsedAccount } from './parsed-account';

export interface AccountFormat {
  readonly encoding: AccountEncoding;
  readonly dataSlice?: { readonly offset: number; readonly length: number } | null | undefined;
}

/** Nodes encode only small data as base58: the conversion is quadratic. */
const MAX_BASE58_BYTES = 128;
/** For an account that is exempt from rent, as all are. */
const RENT_EPOCH = 2n ** 64n - 1n;

const encodedData = (data: Buffer, encoding: AccountEncoding): unknown => {
  if (encoding === 'base64' || encoding === 'jsonParsed') return [data.toString('base64'), 'base64'];
  if (data.length > MAX_BASE58_BYTES)
    throw invalidParams(
      `encoding: encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding`,
    );
  return encoding === 'binary' ? base58(data) : [base58(data), 'base58'];
};

/**
 * An account in the form of the RPC.
 * @param uiAmounts for the amounts of token accounts
 */
export function accountJson(
  account: StoredAccount,
  { encoding, dataSlice }: AccountFormat,
  uiAmounts: UiAmounts,
): object {
  const { data, owner, lamports, executable } = account;
  const parsed = encoding === 'jsonParsed' && parsedAccount(account, uiAmounts);
  const slice = dataSlice ? data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : data;
  return {
    data: parsed || encodedData(slice, encoding),
    executable,
    lamports,
    owner: base58(owner),
    rentEpoch: RENT_EPOCH,
    space: data.length,
  };
}

/** The same for a notification, which cannot fail: data that is too long for base58 is encoded as base64. */
export const notifiedAccountJson: typeof accountJson = (account, format, uiAmounts) => {
  const tooLong = account.data.length > MAX_BASE58_BYTES && format.encoding !== 'jsonParsed';
  return accountJson(account, tooLong ? { ...format, encoding: 'base64' } : format, uiAmounts);
};

/** Accounts as the lists of them show them. Of token programs a list of parsed accounts has only those that can be parsed. */
export function listedAccounts(
  accounts: readonly AddressedAccount[],
  format: AccountFormat,
  uiAmounts: UiAmounts,
): object[] {
  return accounts.flatMap(({ address: pubkey, account }) => {
    const isUnparsed =
      format.encoding === 'jsonParsed' && isTokenProgram(account.owner) && !parsedAccount(account, uiAmounts);
    return isUnparsed ? [] : [{ pubkey, account: accountJson(account, format, uiAmounts) }];
  });
}

/** Whether an account passes the filters of getProgramAccounts. */
export function passes(
  { data }: StoredAccount,
  filters: readonly AccountFilter[] | null | undefined,
): boolean {
  return (filters ?? []).every(filter => {
    if ('dataSize' in filter) return data.length === filter.dataSize;
    if ('tokenAccountState' in filter) return data.length >= 165 && data[108] !== 0;
    const { offset, bytes } = filter.memcmp;
    return data.subarray(offset, offset + bytes.length).equals(bytes);
  });
}
