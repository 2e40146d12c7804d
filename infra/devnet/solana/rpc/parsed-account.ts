import type { StoredAccount } from '../svm/account';
import { base58 } from '../svm/base58';
import { LOOKUP_TABLE, TOKEN } from '../svm/programs';
import type { UiAmounts } from '../svm/token-balances';
import {
  readHolding,
  readMint,
  type TokenHolding,
  type TokenMint,
  type UiTokenAmount,
} from '../svm/token-state';
import { parsedExtensions } from './parsed-extensions';

const optional = (key: Buffer | null): string | null => key && base58(key);

const holdingInfo = (holding: TokenHolding, shown: (amount: bigint) => UiTokenAmount | null): object => {
  const { delegate, delegatedAmount, nativeReserve, closeAuthority } = holding;
  return {
    isNative: nativeReserve !== null,
    mint: base58(holding.mint),
    owner: base58(holding.owner),
    state: holding.state,
    tokenAmount: shown(holding.amount),
    ...(delegate && {
      delegate: base58(delegate),
      delegatedAmount: shown(delegatedAmount),
    }),
    ...(nativeReserve !== null && { rentExemptReserve: shown(nativeReserve) }),
    ...(closeAuthority && { closeAuthority: base58(closeAuthority) }),
  };
};

const mintInfo = ({ decimals, supply, mintAuthority, freezeAuthority }: TokenMint): object => ({
  decimals,
  freezeAuthority: optional(freezeAuthority),
  isInitialized: true,
  mintAuthority: optional(mintAuthority),
  supply: supply.toString(),
});

/** Layout as in address-lookup-table.ts; the authority is an option at byte 21. */
const lookupTable = ({ data, owner }: StoredAccount): object | null => {
  if (!owner.equals(LOOKUP_TABLE.bytes) || data.length < 56) return null;
  const deactivation = data.readBigUInt64LE(4);
  return {
    program: 'address-lookup-table',
    parsed: {
      type: 'lookupTable',
      info: {
        addresses: Array.from({ length: (data.length - 56) >> 5 }, (_, index) =>
          base58(data.subarray(56 + 32 * index, 88 + 32 * index)),
        ),
        ...(data[21] === 1 && { authority: base58(data.subarray(22, 54)) }),
        deactivationSlot: deactivation.toString(),
        lastExtendedSlot: data.readBigUInt64LE(12).toString(),
        lastExtendedSlotStartIndex: data[20],
      },
    },
    space: data.length,
  };
};

/**
 * The `data` of an account in the `jsonParsed` encoding: token accounts and mints of both token programs, and lookup
 * tables. Null for all others, which are encoded as base64: token accounts of a mint that does not exist, too.
 */
export function parsedAccount(account: StoredAccount, uiAmounts: UiAmounts): object | null {
  const program = account.owner.equals(TOKEN.bytes) ? 'spl-token' : 'spl-token-2022';
  const space = account.data.length;
  const mint = readMint(account);
  if (mint)
    return {
      program,
      parsed: { type: 'mint', info: { ...mintInfo(mint), ...parsedExtensions(account.data) } },
      space,
    };
  const holding = readHolding(account);
  const shown = (amount: bigint): UiTokenAmount | null => uiAmounts(base58(holding!.mint), amount);
  if (holding && shown(0n))
    return {
      program,
      parsed: {
        type: 'account',
        info: { ...holdingInfo(holding, shown), ...parsedExtensions(account.data) },
      },
      space,
    };
  return lookupTable(account);
}
