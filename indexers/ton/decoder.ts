import { Cell } from '@ton/core';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import { DECODER_VERSION, decodeTransaction } from './decode/transaction';

/** The decoder for who has raw bytes from the log (base64 BoC) and no chain. */
export const tonDecoder = {
  version: DECODER_VERSION,
  decode: (account: string, raw: string): TonTransaction => decodeTransaction(account, Cell.fromBase64(raw)),
};
