import type { Cell, Slice } from '@ton/core';
import type { WalletOperation } from '../../../contracts/chain/ton-transaction';
import {
  actionsOf,
  SIGNATURE,
  type Actions,
  type RequestedMessage,
  type WalletRequest,
} from './wallet-request';

const MAX_ACTIONS = 255;

const ADDRESS = 267;
/** Bits after a request's fixed fields: no extended action, one with an address, or one with a flag. */
const ACTION_BITS_R1 = [2, 2 + 8 + ADDRESS, 2 + 8 + 1];
const ACTION_BITS_BETA = [1, 1 + 32 + ADDRESS, 1 + 32 + 1];

/** `out_list$_ prev:^OutList action:OutAction`, of which a wallet allows `action_send_msg#0ec3c86d mode:uint8 out_msg:^`. */
function sentMessages(list: Cell): RequestedMessage[] {
  const messages: RequestedMessage[] = [];
  for (let cell = list; cell.refs.length > 0 && messages.length < MAX_ACTIONS;) {
    const action = cell.beginParse();
    cell = action.loadRef();
    if (action.loadUint(32) !== 0x0ec3c86d) throw new Error('not a message to send');
    messages.push({ mode: action.loadUint(8), cell: action.loadRef() });
  }
  return messages.reverse();
}

const extension = (type: 'add_extension' | 'remove_extension', slice: Slice): WalletOperation => ({
  type,
  extension: slice.loadAddress().toRawString(),
});

const signatureAllowed = (slice: Slice): WalletOperation => ({
  type: 'set_signature_allowed',
  allowed: slice.loadBit(),
});

/** Wallet v5 r1: `out_actions:(Maybe ^OutList)`, then extended actions, each next one in a reference. */
function actionsR1(start: Slice): Actions {
  const list = start.loadMaybeRef();
  const operations: WalletOperation[] = [];
  if (start.loadBit())
    for (let slice = start; operations.length < MAX_ACTIONS; slice = slice.loadRef().beginParse()) {
      const tag = slice.loadUint(8);
      if (tag === 2) operations.push(extension('add_extension', slice));
      else if (tag === 3) operations.push(extension('remove_extension', slice));
      else if (tag === 4) operations.push(signatureAllowed(slice));
      else throw new Error('unknown action');
      if (slice.remainingRefs === 0) break;
    }
  return { messages: list ? sentMessages(list) : [], operations };
}

/** The beta of wallet v5: extended actions, each next one in a reference, then a reference to the messages. */
function actionsBeta(start: Slice): Actions {
  const operations: WalletOperation[] = [];
  let slice = start;
  while (slice.loadBit() && operations.length < MAX_ACTIONS) {
    const tag = slice.loadUint(32);
    if (tag === 0x1c40db9f) operations.push(extension('add_extension', slice));
    else if (tag === 0x5eaef4a4) operations.push(extension('remove_extension', slice));
    else if (tag === 0x20cbb95a) operations.push(signatureAllowed(slice));
    else throw new Error('unknown action');
    slice = slice.loadRef().beginParse();
  }
  return { messages: sentMessages(slice.loadRef()), operations };
}

/** Wallet v5 r1 has an id of 32 bits, the beta one of 80; the length of the body identifies the version. */
export function v5Request(body: Slice): WalletRequest | null {
  const isBeta = ACTION_BITS_BETA.some(bits => body.remainingBits === 32 + 80 + 64 + bits + SIGNATURE);
  const before = 32 + (isBeta ? 80 : 32) + 32;
  if (body.remainingBits < before + 32 + SIGNATURE) return null;
  const seqno = body.skip(before).loadUint(32);
  return { seqno, ...actionsOf(() => (isBeta ? actionsBeta(body) : actionsR1(body))) };
}

/** A request of an extension: as one of the owner, but without signature, and with a query id in v5 r1. */
export function extensionRequest(body: Slice): WalletRequest {
  const isBeta =
    !ACTION_BITS_R1.some(bits => body.remainingBits === 32 + 64 + bits) &&
    ACTION_BITS_BETA.some(bits => body.remainingBits === 32 + bits);
  const actions = actionsOf(() => (isBeta ? actionsBeta(body.skip(32)) : actionsR1(body.skip(32 + 64))));
  return { seqno: null, ...actions };
}
