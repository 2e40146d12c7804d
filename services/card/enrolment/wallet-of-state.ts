import { loadStateInit } from '@ton/core';
import { cellOfSmallBag } from '../../../contracts/chain/ton-cells';
import { isWalletOfKey, walletPublicKey, walletVersion } from '../../../contracts/chain/ton-wallet';
import type { TonNetwork } from '../../../contracts/network/network';

/** The wallets that the app makes. */
const VERSIONS = ['v4r2', 'v5r1'] as const;

export interface WalletOfState {
  readonly version: (typeof VERSIONS)[number];
  /** 32 bytes: whose signatures the wallet accepts. */
  readonly publicKey: Buffer;
}

/** Of the code and data of a wallet. */
const MAX_CELLS = 256;

/**
 * The wallet whose state (`StateInit`, a bag of cells) has a raw address: its code says the version, and that says where in the data
 * its key is. Null unless it is one that the app makes of the key on that network.
 */
export function walletOfState(boc: Buffer, address: string, network: TonNetwork): WalletOfState | null {
  try {
    const cell = cellOfSmallBag(boc, MAX_CELLS);
    if (cell === null || `0:${cell.hash().toString('hex')}` !== address.toLowerCase()) return null;
    const { code, data } = loadStateInit(cell.beginParse());
    const found = code && walletVersion(code.hash().toString('base64'));
    const version = VERSIONS.find(each => each === found);
    const key = version && data ? walletPublicKey(version, data) : null;
    if (!version || key === null) return null;
    const publicKey = Buffer.from(key, 'hex');
    return isWalletOfKey(address, network, publicKey) ? { version, publicKey } : null;
  } catch {
    return null;
  }
}
