import { Cell, type Slice } from '@ton/core';
import type { TonMessage, TonTransaction } from '../../../contracts/chain/ton-transaction';

/** What a member asks of a nominator pool. */
export type StakeRequestType = 'deposit' | 'withdraw';

/** Written as a binary message, or as a text. */
export type StakeTrigger = 'payload' | 'comment';

/** A message of a member to what may be a nominator pool. */
export type StakeRequest = {
  /** Raw. */
  pool: string;
  /** Hash (base64) of the message. */
  message: string;
  type: StakeRequestType;
  trigger: StakeTrigger;
  /** Decimal; null of a text. */
  queryId: string | null;
  /** Nanotons, decimal. */
  value: string;
};

/** What a pool answers: it did what was asked, it sent the money back, or it put a member out. */
export type StakeAnswer = {
  /** Raw. */
  pool: string;
  /** Hash (base64) of the message. */
  message: string;
  type: StakeRequestType | 'kick';
  /** The value came back: nothing was done. */
  refused: boolean;
  queryId: string | null;
  /** Nanotons, decimal, as they arrived, and what was left of the fee of the message. */
  value: string;
  fwdFee: string;
  /** Logical time of the message, and its time in Unix seconds, which is that of the transaction of the pool. */
  createdLt: string;
  createdAt: number;
};

/** CRC-32 of the names of operations of tonwhales/ton-nominators. */
const REQUESTS: Readonly<Record<number, StakeRequestType>> = {
  0x7bcd1fef: 'deposit',
  0xda803efd: 'withdraw',
};
const RECEIPTS: Readonly<Record<number, StakeAnswer['type']>> = {
  0xc641e932: 'deposit',
  0x23d421e1: 'withdraw',
  0x74bb3427: 'withdraw',
  0x7ad0b942: 'kick',
};

/** The commands that a pool accepts as texts. */
const COMMANDS: Readonly<Record<string, StakeRequestType>> = { Deposit: 'deposit', Withdraw: 'withdraw' };

/** What a text is a receipt of. Amounts in it are not to be read. */
function receiptOf(comment: string): StakeRequestType | null {
  if (/^Stake \S+ accepted$/.test(comment)) return 'deposit';
  return comment === 'Withdraw completed' || comment.startsWith('Withdraw requested.') ? 'withdraw' : null;
}

/** What the messages of a transaction ask of nominator pools. Anyone may be taken for one. */
export function stakeRequests({ outMessages }: TonTransaction): StakeRequest[] {
  return outMessages.flatMap(({ hash, info, op, comment, body }) => {
    if (info.type !== 'internal') return [];
    const binary = op === null ? undefined : REQUESTS[op];
    const type = binary ?? (comment === null ? undefined : COMMANDS[comment]);
    if (!type) return [];
    return [
      {
        pool: info.dest,
        message: hash,
        type,
        value: info.value,
        trigger: binary ? ('payload' as const) : ('comment' as const),
        queryId: binary ? queryIdOf(body, 32) : null,
      },
    ];
  });
}

/** What the message that a transaction received says of a request; anyone can send one that says so. */
export function stakeAnswer({ inMessage }: TonTransaction): StakeAnswer | null {
  if (inMessage?.info.type !== 'internal') return null;
  const { hash, info, op, comment } = inMessage;
  const found = info.bounced ? refusedOf(inMessage) : acceptedOf(inMessage);
  if (!found) return null;
  const { src: pool, value, fwdFee, createdLt, createdAt } = info;
  return { pool, message: hash, ...found, refused: info.bounced, value, fwdFee, createdLt, createdAt };

  function acceptedOf({ body }: TonMessage): Pick<StakeAnswer, 'type' | 'queryId'> | null {
    const binary = op === null ? undefined : RECEIPTS[op];
    if (binary) return { type: binary, queryId: queryIdOf(body, 32) };
    const type = comment ? receiptOf(comment) : null;
    return type && { type, queryId: null };
  }

  function refusedOf({ body }: TonMessage): Pick<StakeAnswer, 'type' | 'queryId'> | null {
    const binary = op === null ? undefined : REQUESTS[op];
    // After the mark of a message that came back.
    if (binary) return { type: binary, queryId: queryIdOf(body, 32 + 32) };
    const type = comment === null ? undefined : COMMANDS[comment];
    return type ? { type, queryId: null } : null;
  }
}

/** @param at bits before it */
function queryIdOf(body: string, at: number): string | null {
  const slice: Slice = Cell.fromBase64(body).beginParse();
  return slice.remainingBits < at + 64 ? null : String(slice.skip(at).loadUintBig(64));
}
