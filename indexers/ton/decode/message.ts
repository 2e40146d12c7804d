import type { CommonMessageInfo, ExternalAddress, Message, StateInit } from '@ton/core';
import type {
  ExternalAddressData,
  TonMessage,
  TonMessageContent,
  TonMessageInfo,
  TonStateInit,
} from '../../../contracts/chain/ton-transaction';
import { bouncedBody } from './bounce';
import { cardOperation } from './card';
import { textComment } from './comment';
import { boc, hash256 } from './format';
import { bouncedJettonOperation, jettonOperation } from './jetton';
import { nftOperation } from './nft';
import { stakingOperation } from './staking';

type Maybe<T> = T | null | undefined;

/** The flags that version 12 of the network put in the place of the IHR fee, which was never so small. */
const MAX_EXTRA_FLAGS = 3n;

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
      const hasFlags = info.ihrFee <= MAX_EXTRA_FLAGS;
      return {
        type: 'internal',
        src: info.src.toRawString(),
        dest: info.dest.toRawString(),
        value: info.value.coins.toString(),
        bounce: info.bounce,
        bounced: info.bounced,
        ihrDisabled: info.ihrDisabled,
        ihrFee: hasFlags ? '0' : info.ihrFee.toString(),
        extraFlags: hasFlags ? Number(info.ihrFee) : 0,
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

function stateInit(init: Maybe<StateInit>): TonStateInit | null {
  if (!init) return null;
  const libraries = init.libraries?.size ? [...init.libraries] : [];
  return {
    splitDepth: init.splitDepth ?? null,
    code: init.code ? boc(init.code) : null,
    data: init.data ? boc(init.data) : null,
    special: init.special ? { tick: init.special.tick, tock: init.special.tock } : null,
    ...(libraries.length > 0 && {
      libraries: libraries.map(([hash, library]) => ({
        hash: hash256(hash),
        public: library.public,
        root: boc(library.root),
      })),
    }),
  };
}

type Meaning = Pick<TonMessageContent, 'op' | 'comment' | 'jetton' | 'nft' | 'staking' | 'card' | 'bounce'>;

const NO_MEANING: Meaning = {
  op: null,
  comment: null,
  jetton: null,
  nft: null,
  staking: null,
  card: null,
  bounce: null,
};

/** The op of a body and the operations of known standards. */
function meaning({ info, body }: Message): Meaning {
  if (body.isExotic || body.bits.length < 32) return NO_MEANING;
  const slice = body.beginParse();
  const comment = textComment(slice);
  const op = slice.loadUint(32);
  return {
    op,
    comment,
    jetton: jettonOperation(op, slice),
    nft: nftOperation(op, slice),
    staking: stakingOperation(op, slice, info),
    card: cardOperation(op, slice),
    bounce: null,
  };
}

/** As `meaning`, of what a bounced message returns. A comment that was cut within a character ends before it. */
function bouncedMeaning(body: Message['body']): Meaning {
  const read = bouncedBody(body);
  if (!read) return NO_MEANING;
  const { returned, bounce } = read;
  if (returned.remainingBits < 32) return { ...NO_MEANING, bounce };
  const comment = textComment(returned)?.replace(/(?<!\uFFFD)\uFFFD+$/, '') || null;
  const op = returned.loadUint(32);
  return { ...NO_MEANING, op, comment, jetton: bouncedJettonOperation(op, returned), bounce };
}

/** The wire form of a message, with the meaning of its body where a standard defines one. */
export function decodeContent(message: Message): TonMessageContent {
  const { info, init, body } = message;
  const bounced = info.type === 'internal' && info.bounced;
  return {
    info: messageInfo(info),
    init: stateInit(init),
    body: boc(body),
    ...(bounced ? bouncedMeaning(body) : meaning(message)),
  };
}

/** As `decodeContent`, with the hash of the cell of the message. */
export function decodeMessage(message: Message, hash: Buffer): TonMessage {
  return { hash: hash.toString('base64'), ...decodeContent(message) };
}
