import type { Cell, CommonMessageInfo, ExternalAddress, Message, Slice, StateInit } from '@ton/core';
import type {
  ExternalAddressData,
  TonMessage,
  TonMessageInfo,
  TonStateInit,
} from '../../../contracts/chain/ton-transaction';
import { textComment } from './comment';
import { boc } from './format';
import { bouncedJettonOperation, jettonOperation } from './jetton';
import { stakingOperation } from './staking';

const BOUNCED = 0xffffffff;

type Maybe<T> = T | null | undefined;

const external = (address: Maybe<ExternalAddress>): ExternalAddressData | null =>
  address
    ? {
        bits: address.bits,
        data: address.value.toString(16).padStart(Math.ceil(address.bits / 4), '0'),
      }
    : null;

function messageInfo(info: CommonMessageInfo): TonMessageInfo {
  switch (info.type) {
    case 'internal': {
      const others = info.value.other?.size ? [...info.value.other] : [];
      return {
        type: 'internal',
        src: info.src.toRawString(),
        dest: info.dest.toRawString(),
        value: info.value.coins.toString(),
        bounce: info.bounce,
        bounced: info.bounced,
        ihrDisabled: info.ihrDisabled,
        ihrFee: info.ihrFee.toString(),
        fwdFee: info.forwardFee.toString(),
        createdLt: info.createdLt.toString(),
        createdAt: info.createdAt,
        ...(others.length > 0 && {
          extraCurrency: Object.fromEntries(others.map(([id, amount]) => [String(id), amount.toString()])),
        }),
      };
    }
    case 'external-in':
      return {
        type: 'external-in',
        dest: info.dest.toRawString(),
        src: external(info.src),
        importFee: info.importFee.toString(),
      };
    case 'external-out':
      return { type: 'external-out', src: info.src.toRawString(), dest: external(info.dest) };
  }
}

const stateInit = (init: Maybe<StateInit>): TonStateInit | null =>
  init
    ? {
        splitDepth: init.splitDepth ?? null,
        code: init.code ? boc(init.code) : null,
        data: init.data ? boc(init.data) : null,
        special: init.special ? { tick: init.special.tick, tock: init.special.tock } : null,
      }
    : null;

const NO_MEANING = { op: null, comment: null, jetton: null, staking: null };

/** The op of a body and the operations of known standards. A bounced body is read after its marker. */
function meaning(body: Cell, bounced: boolean): Pick<TonMessage, 'op' | 'comment' | 'jetton' | 'staking'> {
  if (body.isExotic || body.bits.length < 32) return NO_MEANING;
  const slice: Slice = body.beginParse();
  if (bounced) {
    if (slice.loadUint(32) !== BOUNCED || slice.remainingBits < 32) return NO_MEANING;
    const op = slice.loadUint(32);
    return { ...NO_MEANING, op, jetton: bouncedJettonOperation(op, slice) };
  }
  const comment = textComment(slice);
  const op = slice.loadUint(32);
  return { op, comment, jetton: jettonOperation(op, slice), staking: stakingOperation(op, slice) };
}

/** The wire form of a message, with the meaning of its body where a standard defines one. */
export function decodeMessage({ info, init, body }: Message): TonMessage {
  return {
    info: messageInfo(info),
    init: stateInit(init),
    body: boc(body),
    ...meaning(body, info.type === 'internal' && info.bounced),
  };
}
