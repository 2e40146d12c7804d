import { base58 } from '../svm/base58';
import { extensionsOf } from '../svm/token-state';

const TRANSFER_FEE_CONFIG = 1;
const TRANSFER_FEE_AMOUNT = 2;
const MINT_CLOSE_AUTHORITY = 3;
const IMMUTABLE_OWNER = 7;
const INTEREST_BEARING_CONFIG = 10;
const METADATA_POINTER = 18;
const TOKEN_METADATA = 19;
const SCALED_UI_AMOUNT_CONFIG = 25;

/** 32 zeros mean none. */
const optionalKey = (data: Buffer, at: number): string | null => {
  const key = data.subarray(at, at + 32);
  return key.every(byte => byte === 0) ? null : base58(key);
};

/** Layout: `TokenMetadata` of the token metadata interface; texts are a u32 length and UTF-8. */
const tokenMetadata = (data: Buffer): object => {
  let at = 64;
  const count = (): number => data.readUInt32LE((at += 4) - 4);
  const text = (): string => {
    const length = count();
    return data.toString('utf8', at, (at += length));
  };
  const [name, symbol, uri] = [text(), text(), text()];
  const additionalMetadata = Array.from({ length: Math.min(count(), data.length) }, () => [text(), text()]);
  return {
    updateAuthority: optionalKey(data, 0),
    mint: base58(data.subarray(32, 64)),
    name,
    symbol,
    uri,
    additionalMetadata,
  };
};

/** Layout: `TransferFee`, an epoch, a maximum and basis points. */
const transferFee = (data: Buffer, at: number): object => ({
  epoch: data.readBigUInt64LE(at),
  maximumFee: data.readBigUInt64LE(at + 8),
  transferFeeBasisPoints: data.readUInt16LE(at + 16),
});

const UNPARSEABLE = { extension: 'unparseableExtension' };

const parsedExtension = (type: number, data: Buffer): object => {
  switch (type) {
    case TRANSFER_FEE_CONFIG:
      return {
        extension: 'transferFeeConfig',
        state: {
          transferFeeConfigAuthority: optionalKey(data, 0),
          withdrawWithheldAuthority: optionalKey(data, 32),
          withheldAmount: data.readBigUInt64LE(64),
          olderTransferFee: transferFee(data, 72),
          newerTransferFee: transferFee(data, 90),
        },
      };
    case TRANSFER_FEE_AMOUNT:
      return {
        extension: 'transferFeeAmount',
        state: { withheldAmount: data.readBigUInt64LE(0) },
      };
    case MINT_CLOSE_AUTHORITY:
      return { extension: 'mintCloseAuthority', state: { closeAuthority: optionalKey(data, 0) } };
    case IMMUTABLE_OWNER:
      return { extension: 'immutableOwner' };
    case INTEREST_BEARING_CONFIG:
      return {
        extension: 'interestBearingConfig',
        state: {
          rateAuthority: optionalKey(data, 0),
          initializationTimestamp: Number(data.readBigInt64LE(32)),
          preUpdateAverageRate: data.readInt16LE(40),
          lastUpdateTimestamp: Number(data.readBigInt64LE(42)),
          currentRate: data.readInt16LE(50),
        },
      };
    case SCALED_UI_AMOUNT_CONFIG:
      return {
        extension: 'scaledUiAmountConfig',
        state: {
          authority: optionalKey(data, 0),
          multiplier: String(data.readDoubleLE(32)),
          newMultiplierEffectiveTimestamp: Number(data.readBigInt64LE(40)),
          newMultiplier: String(data.readDoubleLE(48)),
        },
      };
    case METADATA_POINTER:
      return {
        extension: 'metadataPointer',
        state: { authority: optionalKey(data, 0), metadataAddress: optionalKey(data, 32) },
      };
    case TOKEN_METADATA:
      return { extension: 'tokenMetadata', state: tokenMetadata(data) };
    default:
      return UNPARSEABLE;
  }
};

/** An extension that is shorter than its type requires is shown as unknown. */
const readable = (type: number, data: Buffer): object => {
  try {
    return parsedExtension(type, data);
  } catch (error) {
    if (error instanceof RangeError) return UNPARSEABLE;
    throw error;
  }
};

/** `extensions` of a Token-2022 account or mint; empty when it has none. */
export function parsedExtensions(data: Buffer): { extensions?: object[] } {
  const extensions = [...extensionsOf(data)].map(([type, value]) => readable(type, value));
  return extensions.length === 0 ? {} : { extensions };
}
