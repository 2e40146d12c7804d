import {
  beginCell,
  comment,
  storeMessageRelaxed,
  type Address,
  type Cell,
  type MessageRelaxed,
} from '@ton/core';

/** Operations of TEP-74 (jettons), TEP-62 (NFT items), staking pools, payment cards, and plugins of v4 wallets. */
export const OP = {
  jettonTransfer: 0x0f8a7ea5,
  jettonInternalTransfer: 0x178d4519,
  jettonNotification: 0x7362d09c,
  jettonBurn: 0x595f07bc,
  jettonBurnNotification: 0x7bdd97de,
  excesses: 0xd53276db,
  nftTransfer: 0x5fcc3d14,
  nftOwnershipAssigned: 0x05138d91,
  stakeDeposit: 0x7bcd1fef,
  stakeDepositResponse: 0xc641e932,
  stakeWithdraw: 0xda803efd,
  stakeWithdrawDelayed: 0x74bb3427,
  stakeWithdrawResponse: 0x23d421e1,
  accountTopUp: 0x59da2019,
  accountLimitsChange: 0x2bc69c40,
  pluginInstalled: 0x6e6f7465,
  pluginRequest: 0x706c7567,
} as const;

const head = (op: number) => beginCell().storeUint(op, 32).storeUint(7, 64);

/** The message as a cell that a relay sends. */
export function relayed(message: MessageRelaxed): Cell {
  return beginCell().store(storeMessageRelaxed(message)).endCell();
}

/** Makes a relay send messages; with an op first, it is also an operation of some standard. */
export function relayBody(messages: readonly MessageRelaxed[], op?: number): Cell {
  const body = op === undefined ? beginCell() : head(op);
  for (const message of messages) body.storeRef(relayed(message));
  return body.endCell();
}

export interface JettonTransfer {
  readonly to: Address;
  readonly amount: bigint;
  readonly response: Address | null;
  readonly forwardValue: bigint;
  readonly payload?: Cell;
  /** The payload is in the body itself; default: in a reference. */
  readonly isInline?: boolean;
}

export function jettonTransfer(transfer: JettonTransfer): Cell {
  const { to, amount, response, forwardValue, payload, isInline = false } = transfer;
  const body = head(OP.jettonTransfer)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(response)
    .storeMaybeRef(null)
    .storeCoins(forwardValue);
  return isInline && payload
    ? body.storeBit(false).storeSlice(payload.beginParse()).endCell()
    : body.storeMaybeRef(payload).endCell();
}

export function jettonBurn(amount: bigint, response: Address | null): Cell {
  return head(OP.jettonBurn).storeCoins(amount).storeAddress(response).storeMaybeRef(null).endCell();
}

/** `mint` of the local jetton, whose wallet notifies its owner when `forwardValue` is not 0. */
export function jettonMint(to: Address, amount: bigint, value: bigint, forwardValue = 0n): Cell {
  const transfer = head(OP.jettonInternalTransfer)
    .storeCoins(amount)
    .storeAddress(null)
    .storeAddress(null)
    .storeCoins(forwardValue)
    .storeBit(false)
    .endCell();
  return head(0x15).storeAddress(to).storeCoins(value).storeRef(transfer).endCell();
}

/** Messages of jetton contracts, as anybody may send them, with the comment where they have one. */
export function forgeries(amount: bigint, somebody: Address, text: string): Cell[] {
  const payload = comment(text);
  return [
    head(OP.jettonNotification).storeCoins(amount).storeAddress(somebody).storeMaybeRef(payload).endCell(),
    head(OP.jettonInternalTransfer)
      .storeCoins(amount)
      .storeAddress(somebody)
      .storeAddress(somebody)
      .storeCoins(0)
      .storeMaybeRef(payload)
      .endCell(),
    jettonTransfer({ to: somebody, amount, response: somebody, forwardValue: 1n, payload }),
    jettonBurn(amount, somebody),
    head(OP.jettonBurnNotification).storeCoins(amount).storeAddress(somebody).endCell(),
    head(OP.excesses).endCell(),
    // The start of a bounced message, without being one.
    beginCell().storeUint(0xffffffff, 32).storeUint(OP.jettonTransfer, 32).storeCoins(amount).endCell(),
  ];
}

/** The item's contract is a relay: it sends the custom payload. */
export function nftTransfer(newOwner: Address, notification: MessageRelaxed): Cell {
  return head(OP.nftTransfer)
    .storeAddress(newOwner)
    .storeAddress(null)
    .storeMaybeRef(relayed(notification))
    .storeCoins(1n)
    .storeBit(false)
    .endCell();
}

export function ownershipAssigned(previous: Address, text: string): Cell {
  return head(OP.nftOwnershipAssigned).storeAddress(previous).storeMaybeRef(comment(text)).endCell();
}

export function stakeDeposit(): Cell {
  return head(OP.stakeDeposit).storeCoins(100_000n).endCell();
}

/** @param stake 0 for all of it */
export function stakeWithdraw(stake: bigint, answer?: MessageRelaxed): Cell {
  const body = head(OP.stakeWithdraw).storeCoins(100_000n).storeCoins(stake);
  return (answer ? body.storeRef(relayed(answer)) : body).endCell();
}

export function plain(op: number): Cell {
  return head(op).endCell();
}

export function accountTopUp(amount: bigint): Cell {
  return head(OP.accountTopUp).storeCoins(amount).endCell();
}

export function accountLimitsChange(onetime: bigint, daily: bigint, monthly: bigint): Cell {
  return head(OP.accountLimitsChange).storeCoins(onetime).storeCoins(daily).storeCoins(monthly).endCell();
}
