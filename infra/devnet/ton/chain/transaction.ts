import { Cell, Dictionary, loadCommonMessageInfo } from '@ton/core';
import type { Inbound } from './messages';

/** The fields of a transaction that a block needs. */
export interface TransactionFacts {
  readonly cell: Cell;
  readonly lt: number;
  /** Of the account's previous transaction; 0 for the first one. */
  readonly previousLt: number;
  /** First logical time after it and its messages. */
  readonly endLt: number;
  /** The account was deleted. */
  readonly deleted: boolean;
  readonly sent: readonly Inbound[];
}

const ACCOUNT_NONEXIST = 3;

/** Internal messages as the original cells, so that their hashes stay the same. */
const internalMessages = (messages: Dictionary<number, Cell>): Inbound[] =>
  messages.keys().flatMap(key => {
    const cell = messages.get(key)!;
    const info = loadCommonMessageInfo(cell.beginParse());
    return info.type === 'internal' ? [{ cell, destination: info.dest.toRawString() }] : [];
  });

/**
 * Reads `transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
 * outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus
 * ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ] ...` of `block.tlb`.
 */
export function readTransaction(boc: Buffer): TransactionFacts {
  const root = Cell.fromBoc(boc)[0]!;
  const slice = root.beginParse().skip(4 + 256);
  const lt = slice.loadUint(64);
  const previousLt = slice.skip(256).loadUint(64);
  const outMessages = slice.skip(32).loadUint(15);
  const endStatus = slice.skip(2).loadUint(2);
  const messages = slice.loadRef().beginParse();
  messages.loadMaybeRef();
  return {
    cell: root,
    lt,
    previousLt,
    endLt: lt + 1 + outMessages,
    deleted: endStatus === ACCOUNT_NONEXIST,
    sent: internalMessages(messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell())),
  };
}
