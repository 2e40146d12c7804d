import type { Slice } from '@ton/core';
import { JETTON_OP, type JettonOperation } from '../../../contracts/chain/ton-jetton';
import { boc, raw, readOrNull } from './format';
import { forwardPayload } from './forward-payload';

const BOUNCED = {
  [JETTON_OP.transfer]: 'transfer',
  [JETTON_OP.internalTransfer]: 'internal_transfer',
  [JETTON_OP.burn]: 'burn',
  [JETTON_OP.burnNotification]: 'burn_notification',
} as const;

/**
 * TEP-74 leaves `mint` to the minters. Both begin with `query_id:uint64 to_address:MsgAddressInt`: the older one of
 * ton-blockchain/token-contract, and that of ton-blockchain/jetton-contract.
 */
const MINT = 0x15;
const MINT_OF_JETTON_CONTRACT = 0x642b7d07;

const head = (slice: Slice) => ({
  queryId: slice.loadUintBig(64).toString(),
  amount: slice.loadCoins().toString(),
});
const address = (slice: Slice): string | null => raw(slice.loadMaybeAddress());
/** Some contracts omit the last address. */
const lastAddress = (slice: Slice): string | null => (slice.remainingBits < 2 ? null : address(slice));
const custom = (slice: Slice): string | null => {
  const payload = slice.loadMaybeRef();
  return payload && boc(payload);
};

function read(op: number, slice: Slice): JettonOperation | null {
  switch (op) {
    case JETTON_OP.transfer:
      return {
        type: 'transfer',
        ...head(slice),
        destination: slice.loadAddress().toRawString(),
        responseDestination: address(slice),
        customPayload: custom(slice),
        forwardAmount: slice.loadCoins().toString(),
        ...forwardPayload(slice),
      };
    case JETTON_OP.internalTransfer:
      return {
        type: 'internal_transfer',
        ...head(slice),
        from: address(slice),
        responseDestination: address(slice),
        customPayload: null,
        forwardAmount: slice.loadCoins().toString(),
        ...forwardPayload(slice),
      };
    case JETTON_OP.transferNotification:
      return {
        type: 'transfer_notification',
        ...head(slice),
        sender: address(slice),
        ...forwardPayload(slice),
      };
    case JETTON_OP.burn:
      return { type: 'burn', ...head(slice), responseDestination: lastAddress(slice) };
    case JETTON_OP.burnNotification:
      return {
        type: 'burn_notification',
        ...head(slice),
        sender: address(slice),
        responseDestination: lastAddress(slice),
      };
    case JETTON_OP.excesses:
      return { type: 'excesses', queryId: slice.loadUintBig(64).toString() };
    case MINT:
    case MINT_OF_JETTON_CONTRACT:
      return {
        type: 'mint',
        queryId: slice.loadUintBig(64).toString(),
        destination: slice.loadAddress().toRawString(),
      };
    default:
      return null;
  }
}

/** The jetton operation in a body after its `op`; null for other operations and malformed bodies. */
export function jettonOperation(op: number, body: Slice): JettonOperation | null {
  return readOrNull(() => read(op, body.clone()));
}

/** As `jettonOperation`, for the body that a bounce returns, of which there may be only the first 256 bits. */
export function bouncedJettonOperation(op: number, body: Slice): JettonOperation | null {
  const of = BOUNCED[op as keyof typeof BOUNCED];
  return of ? readOrNull(() => ({ type: 'bounced', of, ...head(body.clone()) })) : null;
}
