import { type Cell } from '@ton/core';
import { walletVersion } from '../../contracts/chain/ton-wallet';

/** What a wallet v5 r1 stores. */
export interface WalletState {
  readonly isSignatureAllowed: boolean;
  readonly seqno: number;
  readonly walletId: number;
  /** Hex. */
  readonly publicKey: string;
  readonly hasExtensions: boolean;
}

interface Contract {
  readonly code: Cell;
  readonly data: Cell;
}

/** Null for every contract that is no wallet v5 r1. Its code is compared, so that its data can be trusted. */
export function readWalletState({ code, data }: Contract): WalletState | null {
  if (walletVersion(code.hash().toString('base64')) !== 'v5r1') return null;
  try {
    const slice = data.beginParse();
    const state = {
      isSignatureAllowed: slice.loadBit(),
      seqno: slice.loadUint(32),
      walletId: slice.loadUint(32),
      publicKey: slice.loadBuffer(32).toString('hex'),
      hasExtensions: slice.loadBit(),
    };
    const isWhole = slice.remainingBits === 0 && slice.remainingRefs === (state.hasExtensions ? 1 : 0);
    return isWhole ? state : null;
  } catch {
    return null;
  }
}
