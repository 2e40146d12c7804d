import type { Cell } from '@ton/core';
import { NO_ACTIONS, type WalletRequest } from './wallet-request';
import { earlierRequest } from './wallet-v1-v4';
import { extensionRequest, v5Request } from './wallet-v5';

/** Wallet v5: requests signed by the owner, carried by an external or by a relayer's internal message, or by an extension. */
const SIGNED_EXTERNAL = 0x7369676e;
const SIGNED_INTERNAL = 0x73696e74;
const EXTENSION = 0x6578746e;
/** A request for coins by a plugin of a v4 wallet. */
const PLUGIN = 0x706c7567;

/** The request that the owner of a wallet signed, in the body of an external message; null when it is not one. */
export function externalRequest(cell: Cell): WalletRequest | null {
  if (cell.isExotic) return null;
  const body = cell.beginParse();
  if (body.remainingBits >= 32 && body.preloadUint(32) === SIGNED_EXTERNAL) return v5Request(body);
  return earlierRequest(body);
}

/**
 * A request in the body of an internal message: of the owner through a relayer (gasless transfers), of an extension, or of
 * a plugin. Null for other messages. Only what the wallet then did shows whether the sender was allowed to.
 */
export function internalRequest(cell: Cell): WalletRequest | null {
  if (cell.isExotic) return null;
  const body = cell.beginParse();
  if (body.remainingBits < 32) return null;
  const op = body.preloadUint(32);
  if (op === SIGNED_INTERNAL) return v5Request(body);
  if (op === EXTENSION) return extensionRequest(body);
  return op === PLUGIN ? { seqno: null, ...NO_ACTIONS } : null;
}
