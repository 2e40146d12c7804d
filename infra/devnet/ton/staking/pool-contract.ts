import {
  type Address,
  type Cell,
  type Contract,
  type ContractProvider,
  type TupleReader,
  beginCell,
} from '@ton/core';
import type { MemberFunds, PoolParameters } from './staking';

export interface StakingStatus {
  /** Unix seconds, as the next one; 0 without a stake. */
  readonly stakeAt: number;
  /** From then on the stake can be recovered. */
  readonly liftAt: number;
  /** Nanotons. */
  readonly sent: bigint;
  readonly querySent: boolean;
  readonly canUnlock: boolean;
  readonly locked: boolean;
  readonly lockFinal: boolean;
}

/** Nanotons. */
export interface PoolStatus {
  readonly balance: bigint;
  readonly sent: bigint;
  readonly pendingDeposits: bigint;
  readonly pendingWithdraw: bigint;
  readonly withdraw: bigint;
}

const fundsOf = (reader: TupleReader): MemberFunds => ({
  balance: reader.readBigNumber(),
  pendingDeposit: reader.readBigNumber(),
  pendingWithdraw: reader.readBigNumber(),
  withdraw: reader.readBigNumber(),
});

/** The get methods of a nominator pool, for `open` of a client. */
export class NominatorPool implements Contract {
  constructor(readonly address: Address) {}

  async getParams(provider: ContractProvider): Promise<PoolParameters> {
    const { stack } = await provider.get('get_params', []);
    return {
      enabled: stack.readBoolean(),
      updatesEnabled: stack.readBoolean(),
      minStake: stack.readBigNumber(),
      depositFee: stack.readBigNumber(),
      withdrawFee: stack.readBigNumber(),
      poolFee: stack.readBigNumber(),
      receiptPrice: stack.readBigNumber(),
    };
  }

  /** Zeros for who is no member, which the owner's address is not either. */
  async getMember(provider: ContractProvider, member: Address): Promise<MemberFunds> {
    const address = beginCell().storeAddress(member).endCell();
    return fundsOf((await provider.get('get_member', [{ type: 'slice', cell: address }])).stack);
  }

  /** By raw address. */
  async getMembers(provider: ContractProvider): Promise<ReadonlyMap<string, MemberFunds>> {
    const { stack } = await provider.get('get_members', []);
    const members = new Map<string, MemberFunds>();
    for (let rest = stack.readTupleOpt(); rest; rest = rest.readTupleOpt()) {
      const member = rest.readTuple();
      members.set(member.readAddress().toRawString(), fundsOf(member));
    }
    return members;
  }

  async getStakingStatus(provider: ContractProvider): Promise<StakingStatus> {
    const { stack } = await provider.get('get_staking_status', []);
    return {
      stakeAt: stack.readNumber(),
      liftAt: stack.readNumber(),
      sent: stack.readBigNumber(),
      querySent: stack.readBoolean(),
      canUnlock: stack.readBoolean(),
      locked: stack.readBoolean(),
      lockFinal: stack.readBoolean(),
    };
  }

  async getPoolStatus(provider: ContractProvider): Promise<PoolStatus> {
    const { stack } = await provider.get('get_pool_status', []);
    return {
      balance: stack.readBigNumber(),
      sent: stack.readBigNumber(),
      pendingDeposits: stack.readBigNumber(),
      pendingWithdraw: stack.readBigNumber(),
      withdraw: stack.readBigNumber(),
    };
  }

  /** Nanotons that are neither of members nor kept for storage. */
  async getUnowned(provider: ContractProvider): Promise<bigint> {
    return (await provider.get('get_unowned', [])).stack.readBigNumber();
  }

  /** Nanotons that may be staked. */
  async getAvailable(provider: ContractProvider): Promise<bigint> {
    return (await provider.get('get_available', [])).stack.readBigNumber();
  }

  async getOwner(provider: ContractProvider): Promise<Address> {
    return (await provider.get('get_owner', [])).stack.readAddress();
  }

  async getController(provider: ContractProvider): Promise<Address> {
    return (await provider.get('get_controller', [])).stack.readAddress();
  }

  async getProxy(provider: ContractProvider): Promise<Address> {
    return (await provider.get('get_proxy', [])).stack.readAddress();
  }

  /** The dictionary of members as it is stored; null without members. */
  async getMembersRaw(provider: ContractProvider): Promise<Cell | null> {
    return (await provider.get('get_members_raw', [])).stack.readCellOpt();
  }

  async getSupportedInterfaces(provider: ContractProvider): Promise<readonly [bigint, bigint]> {
    const { stack } = await provider.get('supported_interfaces', []);
    return [stack.readBigNumber(), stack.readBigNumber()];
  }
}
