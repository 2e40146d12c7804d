import { beginCell, safeSign } from '@ton/core';
import { keyPairFromSeed, type KeyPair } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';

export interface Answer {
  readonly key: string;
  readonly appPublicKey: string;
  readonly address: string;
  readonly walletType: string;
  readonly walletConfig: string;
  readonly walletSig: string;
  readonly endpoint: string | null;
  readonly testnet?: boolean;
  readonly kind?: 'ton-x' | 'tonconnect-v2';
  readonly name?: string;
}

interface Options {
  readonly version?: 'v4' | 'v5';
  readonly testnet?: boolean;
  readonly endpoint?: string | null;
  readonly kind?: 'ton-x' | 'tonconnect-v2';
}

export const ENDPOINT = 'https://connect.example/connect/command';

/** Always the same for the same number. */
export function keyPair(n: number): KeyPair {
  return keyPairFromSeed(Buffer.alloc(32, n));
}

/** A wallet that answers sessions as the public app does. */
export class WalletApp {
  readonly keys: KeyPair;
  readonly installation: KeyPair;

  constructor(seed: number) {
    this.keys = keyPair(seed);
    this.installation = keyPair(seed + 100);
  }

  get appPublicKey(): string {
    return this.installation.publicKey.toString('base64');
  }

  /** @param key of the session, base64 of any alphabet */
  answer(key: string, options: Options = {}): Answer {
    const { version = 'v4', testnet = false, endpoint = ENDPOINT, kind = 'ton-x' } = options;
    const { contract, walletId } = this.contract(version, testnet);
    const signed = beginCell()
      .storeCoins(0)
      .storeBuffer(Buffer.from(key, 'base64'))
      .storeAddress(contract.address)
      .storeMaybeRef(endpoint === null ? null : beginCell().storeBuffer(Buffer.from(endpoint)).endCell())
      .storeRef(beginCell().storeBuffer(this.installation.publicKey).endCell())
      .endCell();
    return {
      key,
      appPublicKey: this.appPublicKey,
      address: contract.address.toString({ testOnly: testnet }),
      walletType: `org.ton.wallets.${version}`,
      walletConfig: `wc=0,pk=${this.keys.publicKey.toString('hex')},walletId=${walletId}`,
      walletSig: safeSign(signed, this.keys.secretKey).toString('base64'),
      endpoint,
      testnet,
      kind,
    };
  }

  private contract(version: 'v4' | 'v5', testnet: boolean) {
    const { publicKey } = this.keys;
    if (version === 'v4') {
      const contract = WalletContractV4.create({ workchain: 0, publicKey });
      return { contract, walletId: contract.walletId };
    }
    const contract = WalletContractV5R1.create({
      publicKey,
      walletId: { networkGlobalId: testnet ? -3 : -239 },
    });
    // Data of the contract: whether signatures are allowed, seqno, then the id.
    const walletId = contract.init.data.beginParse().skip(33).loadInt(32);
    return { contract, walletId };
  }
}
