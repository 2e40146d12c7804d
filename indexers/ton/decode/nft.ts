import type { Slice } from '@ton/core';
import { NFT_OP, type NftOperation } from '../../../contracts/chain/ton-nft';
import { raw, readOrNull } from './format';
import { forwardPayload } from './forward-payload';

function read(op: number, slice: Slice): NftOperation | null {
  switch (op) {
    case NFT_OP.transfer: {
      const queryId = slice.loadUintBig(64).toString();
      const newOwner = raw(slice.loadMaybeAddress());
      const responseDestination = raw(slice.loadMaybeAddress());
      slice.loadMaybeRef(); // custom payload
      const forwardAmount = slice.loadCoins().toString();
      const { comment } = forwardPayload(slice);
      return { type: 'transfer', queryId, newOwner, responseDestination, forwardAmount, comment };
    }
    case NFT_OP.ownershipAssigned: {
      const queryId = slice.loadUintBig(64).toString();
      const previousOwner = raw(slice.loadMaybeAddress());
      const { comment } = forwardPayload(slice);
      return { type: 'ownership_assigned', queryId, previousOwner, comment };
    }
    default:
      return null;
  }
}

/** The operation of an NFT item (TEP-62) in a body after its `op`; null for other operations and malformed bodies. */
export function nftOperation(op: number, body: Slice): NftOperation | null {
  return readOrNull(() => read(op, body.clone()));
}
