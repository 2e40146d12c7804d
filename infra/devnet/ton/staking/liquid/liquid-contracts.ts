import {
  type Address,
  type Cell,
  type Contract,
  type ContractProvider,
  Dictionary,
  beginCell,
} from '@ton/core';
import type { LiquidParameters } from './liquid';

/** What `get_pool_status` of a liquid pool answers, in its order. */
export interface LiquidPoolStatus extends LiquidParameters {
  /** Jettons for a TON, in billionths. */
  readonly rateDeposit: bigint;
  /** TON for a jetton, in billionths. */
  readonly rateWithdraw: bigint;
  readonly roundId: number;
  /** Nanotons. */
  readonly receiptPrice: bigint;
  readonly supply: bigint;
  /** Nanotons that the jettons are worth, what is staked of them included. */
  readonly balance: bigint;
  readonly sent: bigint;
  /** Nanotons that are owed, and not set aside yet. */
  readonly pendingWithdraw: bigint;
  /** Nanotons that are owed and set aside. */
  readonly withdraw: bigint;
}

const addressItem = (address: Address) =>
  ({ type: 'slice', cell: beginCell().storeAddress(address).endCell() }) as const;

/** The get methods of a liquid pool, for `open` of a client. As a master of jettons it is a `JettonMaster`. */
export class LiquidPool implements Contract {
  constructor(readonly address: Address) {}

  async getPoolStatus(provider: ContractProvider): Promise<LiquidPoolStatus> {
    const { stack } = await provider.get('get_pool_status', []);
    return {
      rateDeposit: stack.readBigNumber(),
      rateWithdraw: stack.readBigNumber(),
      roundId: stack.readNumber(),
      enabled: stack.readBoolean(),
      upgradable: stack.readBoolean(),
      minStake: stack.readBigNumber(),
      depositFee: stack.readBigNumber(),
      withdrawFee: stack.readBigNumber(),
      receiptPrice: stack.readBigNumber(),
      poolFee: stack.readBigNumber(),
      supply: stack.readBigNumber(),
      balance: stack.readBigNumber(),
      sent: stack.readBigNumber(),
      pendingWithdraw: stack.readBigNumber(),
      withdraw: stack.readBigNumber(),
    };
  }

  /** Nanotons that so many jettons are worth. */
  async getTonBalance(provider: ContractProvider, jettons: bigint): Promise<bigint> {
    return (await provider.get('get_ton_balance', [{ type: 'int', value: jettons }])).stack.readBigNumber();
  }

  /** Nanotons that are the owner's. */
  async getUnowned(provider: ContractProvider): Promise<bigint> {
    return (await provider.get('get_unowned', [])).stack.readBigNumber();
  }

  async getWalletAddress(provider: ContractProvider, owner: Address): Promise<Address> {
    return (await provider.get('get_wallet_address', [addressItem(owner)])).stack.readAddress();
  }
}

export interface LiquidWalletState {
  readonly balance: bigint;
  readonly owner: Address;
  readonly pool: Address;
  readonly code: Cell;
}

/** The get methods of a wallet of a liquid pool's jetton. */
export class LiquidWallet implements Contract {
  constructor(readonly address: Address) {}

  async getWalletData(provider: ContractProvider): Promise<LiquidWalletState> {
    const { stack } = await provider.get('get_wallet_data', []);
    return {
      balance: stack.readBigNumber(),
      owner: stack.readAddress(),
      pool: stack.readAddress(),
      code: stack.readCell(),
    };
  }

  /** Nanotons by the round in which they were withdrawn. */
  async getPendingWithdrawals(provider: ContractProvider): Promise<ReadonlyMap<number, bigint>> {
    const cell = (await provider.get('get_pending_withdrawals', [])).stack.readCellOpt();
    if (!cell) return new Map();
    return new Map(Dictionary.loadDirect(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(4), cell));
  }
}
