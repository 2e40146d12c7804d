import { base58 } from '../svm/base58';

/** Extensions of Token-2022 follow the account type: a u16 type, a u16 length, the value. */
const EXTENSIONS_AT = 166;
const TRANSFER_FEE_CONFIG = 1;
const TRANSFER_FEE_AMOUNT = 2;
const MINT_CLOSE_AUTHORITY = 3;
const IMMUTABLE_OWNER = 7;
const METADATA_POINTER = 18;
const TOKEN_METADATA = 19;

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
  epoch: Number(data.readBigUInt64LE(at)),
  maximumFee: Number(data.readBigUInt64LE(at + 8)),
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
          withheldAmount: Number(data.readBigUInt64LE(64)),
          olderTransferFee: transferFee(data, 72),
          newerTransferFee: transferFee(data, 90),
        },
      };
    case TRANSFER_FEE_AMOUNT:
      return {
        extension: 'transferFeeAmount',
        state: { withheldAmount: Number(data.readBigUInt64LE(0)) },
      };
    case MINT_CLOSE_AUTHORITY:
      return { extension: 'mintCloseAuthority', state: { closeAuthority: optionalKey(data, 0) } };
    case IMMUTABLE_OWNER:
      return { extension: 'immutableOwner' };
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
  const extensions: object[] = [];
  for (let at = EXTENSIONS_AT; at + 4 <= data.length;) {
    const type = data.readUInt16LE(at);
    const length = data.readUInt16LE(at + 2);
    if (type === 0 || at + 4 + length > data.length) break;
    extensions.push(readable(type, data.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return extensions.length === 0 ? {} : { extensions };
}
