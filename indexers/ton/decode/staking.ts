import type { CommonMessageInfo, Slice } from '@ton/core';
import { kindAt } from '../../../contracts/chain/ton-known-contracts';
import { WITHDRAW_RESPONSE_OP, type StakingOperation } from '../../../contracts/chain/ton-transaction';
import { readOrNull } from './format';

/** CRC-32 of the operations' names in the nominator pool contract (tonwhales/ton-nominators). */
const DEPOSIT = 0x7bcd1fef;
const WITHDRAW = 0xda803efd;
const RECEIPTS = {
  0xc641e932: 'deposit_response',
  0x74bb3427: 'withdraw_delayed',
  [WITHDRAW_RESPONSE_OP]: 'withdraw_response',
} as const;

/** Of the liquid pool, and from it to a wallet of its jetton. */
const COLLECT = 0x4a10e022;
const ADD_WITHDRAWAL = 0x2334e467;

/** Of the wallets of tsUSDe: from the owner, and from the master. */
const CLAIM = 0xd750cec9;
const LOCK = 0xb2583ed5;

const QUERY_ID = 64;
const coins = (body: Slice): string => body.loadCoins().toString();

/** `query_id:uint64 gas_limit:Coins`, then of a withdrawal `stake:Coins`. Nothing is read of a deposit: its value says all. */
function toNominatorPool(op: number, body: Slice): StakingOperation | null {
  if (op === DEPOSIT) return { type: 'deposit' };
  if (op !== WITHDRAW) return null;
  body.skip(QUERY_ID).loadCoins();
  return { type: 'withdraw', stake: coins(body) };
}

/**
 * Without a limit of gas. Deposit: `query_id:uint64 amount:Coins response:MsgAddress forward_amount:Coins`; withdrawal:
 * `query_id:uint64 jettons:Coins response:MsgAddress`; `collect`: `query_id:uint64 response:MsgAddress`.
 */
function toLiquidPool(op: number, body: Slice): StakingOperation | null {
  switch (op) {
    case DEPOSIT:
      return { type: 'liquid_deposit', amount: coins(body.skip(QUERY_ID)) };
    case WITHDRAW:
      return { type: 'liquid_withdraw', jettons: coins(body.skip(QUERY_ID)) };
    case COLLECT:
      return { type: 'liquid_collect' };
    default:
      return null;
  }
}

/** To a wallet of the jetton: `query_id:uint64 round:uint32 amount:Coins response:MsgAddress`. */
function fromLiquidPool(op: number, body: Slice): StakingOperation | null {
  if (op !== ADD_WITHDRAWAL) return receipt(op);
  const round = body.skip(QUERY_ID).loadUint(32);
  return { type: 'liquid_owed', round, amount: coins(body) };
}

/** To a wallet of tsUSDe: `query_id:uint64 usde:Coins unlock_at:uint32`. */
function fromStakedUsde(op: number, body: Slice): StakingOperation | null {
  if (op !== LOCK) return null;
  const amount = coins(body.skip(QUERY_ID));
  return { type: 'usde_lock', amount, unlockAt: body.loadUint(32) };
}

/** The head of a transfer of TEP-74: `query_id:uint64 usde:Coins destination:MsgAddress`. */
function claim(body: Slice): StakingOperation {
  const amount = coins(body.skip(QUERY_ID));
  return { type: 'usde_claim', amount, destination: body.loadAddress().toRawString() };
}

function receipt(op: number): StakingOperation | null {
  const type = RECEIPTS[op as keyof typeof RECEIPTS] as (typeof RECEIPTS)[keyof typeof RECEIPTS] | undefined;
  return type ? { type } : null;
}

function read(op: number, body: Slice, { src, dest }: Parties): StakingOperation | null {
  if (kindAt(dest) === 'liquid_pool') return toLiquidPool(op, body);
  if (kindAt(src) === 'liquid_pool') return fromLiquidPool(op, body);
  if (kindAt(src) === 'staked_usde') return fromStakedUsde(op, body);
  return op === CLAIM ? claim(body) : (toNominatorPool(op, body) ?? receipt(op));
}

/** Raw. */
interface Parties {
  readonly src: string;
  readonly dest: string;
}

/**
 * What a body after its `op` asks a staking contract for, or is its answer: in the layout of the contract that it
 * goes to or comes from. Which nominator pools there are, and which wallets, is not known here. Null for any other message, and
 * for a malformed body.
 */
export function stakingOperation(op: number, body: Slice, info: CommonMessageInfo): StakingOperation | null {
  if (info.type !== 'internal') return null;
  return readOrNull(() =>
    read(op, body.clone(), { src: info.src.toRawString(), dest: info.dest.toRawString() }),
  );
}
