import type { Address, Cell } from '@ton/core';

/** A contract that exists from the start. */
export interface PlacedContract {
  readonly address: Address;
  /** Nanotons. */
  readonly balance: bigint;
  readonly init: { readonly code: Cell; readonly data: Cell };
}
