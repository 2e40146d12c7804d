import { Address, type Slice } from '@ton/core';
import {
  actionsOf,
  SIGNATURE,
  type Actions,
  type RequestedMessage,
  type WalletRequest,
} from './wallet-request';

const MODE = 8;

function modesAndMessages(slice: Slice): RequestedMessage[] {
  const messages: RequestedMessage[] = [];
  while (slice.remainingRefs > 0) messages.push({ mode: slice.loadUint(MODE), cell: slice.loadRef() });
  return messages;
}

/** The operations of a v4 wallet: 0 sends messages, 1 deploys a plugin and installs it, 2 installs and 3 removes one. */
function v4Actions(slice: Slice): Actions {
  const op = slice.loadUint(8);
  if (op === 0) return { messages: modesAndMessages(slice), operations: [] };
  if (op > 3) throw new Error('unknown operation');
  const workchain = slice.loadInt(8);
  if (op === 1) {
    slice.loadCoins();
    const plugin = new Address(workchain, slice.loadRef().hash()).toRawString();
    return { messages: [], operations: [{ type: 'deploy_plugin', plugin }] };
  }
  const plugin = new Address(workchain, slice.loadBuffer(32)).toRawString();
  return { messages: [], operations: [{ type: op === 2 ? 'install_plugin' : 'remove_plugin', plugin }] };
}

/** Fields that wallets v1 to v4 sign before the modes and messages, in bits, and those of them before the sequence number. */
const V1 = { signed: 32, beforeSeqno: 0 }; // seqno
const V2 = { signed: 64, beforeSeqno: 0 }; // seqno, valid until
const V3 = { signed: 96, beforeSeqno: 64 }; // wallet id, valid until, seqno
const V4 = { signed: 104, beforeSeqno: 64 }; // the same and an op

/** After the op of a request about a plugin, in bits without the bytes of the amount: workchain and amount; also hash and query id. */
const DEPLOY_PLUGIN = { bits: 8 + 4, refs: 2 };
const CHANGE_PLUGIN = { bits: 8 + 256 + 4 + 64, refs: 0 };
const MAX_AMOUNT_BITS = 15 * 8;

/** Wallets v1 to v4 sign only fixed fields and a mode for each message, so the length of the body identifies the version. */
function signedFields(body: Slice): typeof V1 | null {
  const bits = body.remainingBits - SIGNATURE;
  const isAboutPlugin = [DEPLOY_PLUGIN, CHANGE_PLUGIN].some(plugin => {
    const amount = bits - V4.signed - plugin.bits;
    return body.remainingRefs === plugin.refs && amount >= 0 && amount <= MAX_AMOUNT_BITS && amount % 8 === 0;
  });
  if (isAboutPlugin) return V4;
  return [V1, V2, V3, V4].find(({ signed }) => bits - MODE * body.remainingRefs === signed) ?? null;
}

/** The request to a wallet of version 1 to 4; null when the body is not one. */
export function earlierRequest(body: Slice): WalletRequest | null {
  const version = signedFields(body);
  if (!version) return null;
  const seqno = body.skip(SIGNATURE + version.beforeSeqno).loadUint(32);
  const actions = actionsOf(() => {
    if (version === V4) return v4Actions(body);
    if (version === V2) body.skip(32);
    return { messages: modesAndMessages(body), operations: [] };
  });
  return { seqno, ...actions };
}
