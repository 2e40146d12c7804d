import type { Address, Contract, ContractProvider } from '@ton/core';

/** Units of USDe. */
export interface Timelock {
  readonly locked: bigint;
  /** Unix seconds. */
  readonly unlockAt: number;
}

/** The get method of a wallet of shares, beside those of TEP-74, for `open` of a client. */
export class StakedUsdeWallet implements Contract {
  constructor(readonly address: Address) {}

  async getTimelock(provider: ContractProvider): Promise<Timelock> {
    const { stack } = await provider.get('get_timelock_data', []);
    return { locked: stack.readBigNumber(), unlockAt: stack.readNumber() };
  }
}

export interface VaultState {
  /** Units of USDe that the shares stand for. */
  readonly assets: bigint;
  readonly shares: bigint;
  /** Units of USDe that are unstaked and not claimed. */
  readonly locked: bigint;
  /** When the last reward was received, Unix seconds; 0 before the first. */
  readonly rewardedAt: number;
}

/** The get methods of the vault. */
export class UsdeVault implements Contract {
  constructor(readonly address: Address) {}

  async getConvertToAssets(provider: ContractProvider, shares: bigint): Promise<bigint> {
    return (await provider.get('convertToAssets', [{ type: 'int', value: shares }])).stack.readBigNumber();
  }

  async getConvertToShares(provider: ContractProvider, usde: bigint): Promise<bigint> {
    return (await provider.get('convertToShares', [{ type: 'int', value: usde }])).stack.readBigNumber();
  }

  async getVault(provider: ContractProvider): Promise<VaultState> {
    const { stack } = await provider.get('get_vault_data', []);
    return {
      assets: stack.readBigNumber(),
      shares: stack.readBigNumber(),
      locked: stack.readBigNumber(),
      rewardedAt: stack.readNumber(),
    };
  }
}
