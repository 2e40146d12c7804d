import { type Address, beginCell } from '@ton/core';
import { WalletContractV4 } from '@ton/ton/dist/wallets/WalletContractV4';
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/WalletContractV5R1';
import type { ConnectWallet } from '../../contracts/events/connect-session';
import { verifySafeSign } from '../signing/safe-sign';

/**
 * Whether the key of the wallet has signed the session, and the address is that of the wallet with this key: all that the
 * signature does not contain follows from the address.
 * @param key of the session
 */
export function isSignedByWallet(key: string, wallet: ConnectWallet): boolean {
  const config = parseWalletConfig(wallet.walletConfig);
  const address = config && addressOf(wallet.walletType, config);
  if (address?.toRawString() !== wallet.address) return false;
  const { endpoint, appPublicKey, walletSig } = wallet;
  const signed = beginCell()
    .storeCoins(0)
    .storeBuffer(Buffer.from(key, 'base64url'))
    .storeAddress(address)
    .storeMaybeRef(endpoint === null ? null : beginCell().storeBuffer(Buffer.from(endpoint)).endCell())
    .storeRef(beginCell().storeBuffer(Buffer.from(appPublicKey, 'base64url')).endCell())
    .endCell();
  return verifySafeSign(signed, Buffer.from(walletSig, 'base64'), config!.publicKey);
}

interface WalletConfig {
  readonly workchain: number;
  readonly publicKey: Buffer;
  readonly walletId: number;
}

/** `wc=..,pk=..,walletId=..` in any order, the public key in hexadecimal. Null for anything else. */
function parseWalletConfig(text: string): WalletConfig | null {
  const fields = new Map<string, string>();
  for (const part of text.split(',')) {
    const [, name, value] = /^(wc|pk|walletId)=([0-9A-Fa-f-]+)$/.exec(part) ?? [];
    if (name === undefined || fields.has(name)) return null;
    fields.set(name, value!);
  }
  const [workchain, publicKey, walletId] = ['wc', 'pk', 'walletId'].map(name => fields.get(name) ?? '');
  if (!/^(?:0|-1)$/.test(workchain!) || !/^[0-9A-Fa-f]{64}$/.test(publicKey!)) return null;
  if (!/^(?:0|-?[1-9]\d{0,9})$/.test(walletId!)) return null;
  return {
    workchain: Number(workchain),
    publicKey: Buffer.from(publicKey!, 'hex'),
    walletId: Number(walletId),
  };
}

/** Null when there is no such wallet. */
function addressOf(type: ConnectWallet['walletType'], config: WalletConfig): Address | null {
  const { workchain, publicKey, walletId } = config;
  try {
    if (type === 'org.ton.wallets.v4')
      return WalletContractV4.create({ workchain, publicKey, walletId }).address;
    // The id as it is stored, which is the exclusive or of these two.
    const id = { networkGlobalId: walletId, context: 0 };
    return WalletContractV5R1.create({ workchain, publicKey, walletId: id }).address;
  } catch {
    // An id that does not fit into its field.
    return null;
  }
}
