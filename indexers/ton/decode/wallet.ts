import { Address, type Cell, type Slice } from '@ton/core';
import type { WalletOperation } from '../../../contracts/chain/ton-transaction';

/** A message that a request asks the wallet to send: the cell of a `MessageRelaxed`, nothing of which the chain has checked. */
export interface RequestedMessage {
  readonly mode: number;
  readonly cell: Cell;
}

/** What the owner of a wallet, or one of its extensions, asks of it. */
export interface WalletRequest {
  /** Signed by the owner; null in a request of an extension or plugin. */
  readonly seqno: number | null;
  readonly messages: readonly RequestedMessage[];
  readonly operations: readonly WalletOperation[];
}

type Actions = Pick<WalletRequest, 'messages' | 'operations'>;
const NO_ACTIONS: Actions = { messages: [], operations: [] };

/** Actions that cannot be read are left out: the wallet would not have carried them out. */
function actionsOf(read: () => Actions): Actions {
  try {
    return read();
  } catch {
    return NO_ACTIONS;
  }
}

const SIGNATURE = 512;
const MODE = 8;
const MAX_ACTIONS = 255;

/** Wallet v5: requests signed by the owner, carried by an external or by a relayer's internal message, or by an extension. */
const SIGNED_EXTERNAL = 0x7369676e;
const SIGNED_INTERNAL = 0x73696e74;
const EXTENSION = 0x6578746e;
/** A request for coins by a plugin of a v4 wallet. */
const PLUGIN = 0x706c7567;

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
function v5Request(body: Slice): WalletRequest | null {
  const isBeta = ACTION_BITS_BETA.some(bits => body.remainingBits === 32 + 80 + 64 + bits + SIGNATURE);
  const before = 32 + (isBeta ? 80 : 32) + 32;
  if (body.remainingBits < before + 32 + SIGNATURE) return null;
  const seqno = body.skip(before).loadUint(32);
  return { seqno, ...actionsOf(() => (isBeta ? actionsBeta(body) : actionsR1(body))) };
}

/** A request of an extension: as one of the owner, but without signature, and with a query id in v5 r1. */
function extensionRequest(body: Slice): WalletRequest {
  const isBeta =
    !ACTION_BITS_R1.some(bits => body.remainingBits === 32 + 64 + bits) &&
    ACTION_BITS_BETA.some(bits => body.remainingBits === 32 + bits);
  const actions = actionsOf(() => (isBeta ? actionsBeta(body.skip(32)) : actionsR1(body.skip(32 + 64))));
  return { seqno: null, ...actions };
}

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

function earlierRequest(body: Slice): WalletRequest | null {
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
