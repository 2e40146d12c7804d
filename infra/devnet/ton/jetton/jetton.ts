import { type Address, type Cell, beginCell, comment, contractAddress } from '@ton/core';
import { onChainContent } from '../token-content';
import { MINTER_CODE, WALLET_CODE } from './code';

/** Operations of TEP-74, and those of our minter. */
const OP = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  burn: 0x595f07bc,
  mint: 0x15,
  changeAdmin: 3,
} as const;

/** TEP-64 attributes. */
export interface JettonMetadata {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly description?: string;
  /** URL. */
  readonly image?: string;
  /** Where a document has more of them (semi-chain content). */
  readonly uri?: string;
}

export interface JettonMaster {
  readonly address: Address;
  readonly init: { readonly code: Cell; readonly data: Cell };
}

/** The master contract of an admin's jetton with this metadata, deployed or not. */
export function jettonMaster(admin: Address, metadata: JettonMetadata): JettonMaster {
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(admin)
    .storeRef(onChainContent({ ...metadata }))
    .storeRef(WALLET_CODE)
    .endCell();
  const init = { code: MINTER_CODE, data };
  return { address: contractAddress(0, init), init };
}

/** The jetton wallet of an owner, deployed or not. */
export function jettonWalletAddress(master: Address, owner: Address): Address {
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(owner)
    .storeAddress(master)
    .storeRef(WALLET_CODE)
    .endCell();
  return contractAddress(0, { code: WALLET_CODE, data });
}

export interface Mint {
  readonly to: Address;
  /** Smallest units of the jetton. */
  readonly amount: bigint;
  /** Nanotons for the new wallet: its storage and the gas of receiving. */
  readonly value: bigint;
  /** Nanotons with which the wallet notifies its owner; default 0: it does not. */
  readonly forwardValue?: bigint;
  readonly queryId?: bigint;
}

/** Message body for the master, from its admin. */
export function mintBody({ to, amount, value, forwardValue = 0n, queryId = 0n }: Mint): Cell {
  const internalTransfer = beginCell()
    .storeUint(OP.internalTransfer, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(null)
    .storeAddress(null)
    .storeCoins(forwardValue)
    .storeBit(false)
    .endCell();
  return beginCell()
    .storeUint(OP.mint, 32)
    .storeUint(queryId, 64)
    .storeAddress(to)
    .storeCoins(value)
    .storeRef(internalTransfer)
    .endCell();
}

/** Message body for the master, from its admin: another admin, or none for ever. */
export function changeAdminBody(admin: Address | null): Cell {
  return beginCell().storeUint(OP.changeAdmin, 32).storeUint(0, 64).storeAddress(admin).endCell();
}

export interface JettonTransfer {
  readonly to: Address;
  readonly amount: bigint;
  /** Receives the rest of the coins that pay for the transfer. */
  readonly response: Address | null;
  /** Nanotons of the notification; 0 for no notification. */
  readonly forwardValue: bigint;
  readonly comment?: string;
  /** For its receiver, in place of a comment. */
  readonly forwardPayload?: Cell;
  /** Such as the claim of a mintless jetton. */
  readonly customPayload?: Cell;
  readonly queryId?: bigint;
}

/** Body of TEP-74's `transfer`, from an owner to their jetton wallet, with a comment or another forward payload. */
export function jettonTransferBody(transfer: JettonTransfer): Cell {
  const { to, amount, response, forwardValue, queryId = 0n } = transfer;
  const said = transfer.comment === undefined ? null : comment(transfer.comment);
  return beginCell()
    .storeUint(OP.transfer, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(response)
    .storeMaybeRef(transfer.customPayload)
    .storeCoins(forwardValue)
    .storeMaybeRef(transfer.forwardPayload ?? said)
    .endCell();
}

export interface JettonBurn {
  readonly amount: bigint;
  readonly response: Address;
  readonly queryId?: bigint;
}

/** Body of TEP-74's `burn`, from an owner to their jetton wallet. */
export function jettonBurnBody({ amount, response, queryId = 0n }: JettonBurn): Cell {
  return beginCell()
    .storeUint(OP.burn, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(response)
    .storeMaybeRef(null)
    .endCell();
}
