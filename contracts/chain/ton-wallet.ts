import { Address, contractAddress, type Cell } from '@ton/core';
// Not of the package's index, which loads its HTTP clients too: every command of `tidemark` loads this file.
import { WalletContractV1R1 } from '@ton/ton/dist/wallets/WalletContractV1R1';
import { WalletContractV1R2 } from '@ton/ton/dist/wallets/WalletContractV1R2';
import { WalletContractV1R3 } from '@ton/ton/dist/wallets/WalletContractV1R3';
import { WalletContractV2R1 } from '@ton/ton/dist/wallets/WalletContractV2R1';
import { WalletContractV2R2 } from '@ton/ton/dist/wallets/WalletContractV2R2';
import { WalletContractV3R1 } from '@ton/ton/dist/wallets/WalletContractV3R1';
import { WalletContractV3R2 } from '@ton/ton/dist/wallets/WalletContractV3R2';
import { WalletContractV4 } from '@ton/ton/dist/wallets/WalletContractV4';
import { WalletContractV5Beta } from '@ton/ton/dist/wallets/WalletContractV5Beta';
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/WalletContractV5R1';
import { TON_GLOBAL_IDS, type TonNetwork } from '../network/network';
import type { WalletVersion } from './ton-contract';

interface Owner {
  /** 32 bytes. */
  readonly publicKey: Buffer;
  readonly network: TonNetwork;
  readonly workchain: number;
}

interface Init {
  readonly code: Cell;
  readonly data: Cell;
}
type OfPackage = Exclude<WalletVersion, 'v4r1'>;

const walletIdV5 = ({ network }: Owner) => ({ networkGlobalId: TON_GLOBAL_IDS[network] });

/** The wallets that apps make of a key: with the first wallet id of their workchain and network. */
const CREATE: Readonly<Record<OfPackage, (owner: Owner) => { readonly init: Init }>> = {
  v1r1: owner => WalletContractV1R1.create(owner),
  v1r2: owner => WalletContractV1R2.create(owner),
  v1r3: owner => WalletContractV1R3.create(owner),
  v2r1: owner => WalletContractV2R1.create(owner),
  v2r2: owner => WalletContractV2R2.create(owner),
  v3r1: owner => WalletContractV3R1.create(owner),
  v3r2: owner => WalletContractV3R2.create(owner),
  v4r2: owner => WalletContractV4.create(owner),
  v5beta: owner =>
    WalletContractV5Beta.create({
      ...owner,
      walletId: { ...walletIdV5(owner), workchain: owner.workchain },
    }),
  v5r1: owner => {
    const context = { workchain: owner.workchain, walletVersion: 'v5r1', subwalletNumber: 0 } as const;
    return WalletContractV5R1.create({ ...owner, walletId: { ...walletIdV5(owner), context } });
  },
};
const CREATE_ALL = Object.entries(CREATE) as [OfPackage, (typeof CREATE)[OfPackage]][];

/** The package has no v4r1: the hash of its code as the documentation of TON lists it. */
const V4R1 = 'ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=';

let versions: ReadonlyMap<string, WalletVersion> | undefined;

/** The version of the wallet that has code of this hash (base64), computed from the code in `@ton/ton`; null: no wallet. */
export function walletVersion(codeHash: string): WalletVersion | null {
  const anyone: Owner = { publicKey: Buffer.alloc(32), network: 'mainnet', workchain: 0 };
  versions ??= new Map<string, WalletVersion>([
    ...CREATE_ALL.map(
      ([version, create]) => [create(anyone).init.code.hash().toString('base64'), version] as const,
    ),
    [V4R1, 'v4r1'],
  ]);
  return versions.get(codeHash) ?? null;
}

/** Bits before the public key in the data of a wallet: the seqno, then the wallet id (`subwallet`) where there is one. */
function bitsBeforeKey(version: WalletVersion): number {
  if (version === 'v5beta') return 33 + 80;
  if (version === 'v5r1') return 1 + 32 + 32;
  return version < 'v3' ? 32 : 32 + 32;
}

/**
 * The key (hex) whose signatures a wallet accepts, from its data; null when it accepts none: version 5 may be left to its
 * extensions alone, which the first bit says (not set in the release, set in the beta, as the sign of the seqno).
 * @throws Error when the data is not that of a wallet
 */
export function walletPublicKey(version: WalletVersion, data: Cell): string | null {
  const slice = data.beginParse();
  const first = slice.preloadBit();
  const key = slice.skip(bitsBeforeKey(version)).loadBuffer(32).toString('hex');
  if (version === 'v5r1') return first ? key : null;
  return version === 'v5beta' && first ? null : key;
}

const WORKCHAINS: readonly number[] = [0, -1];

/** Whether an address (raw) is that of a wallet of the key (32 bytes): of any version, with the wallet id that apps use. */
export function isWalletOfKey(address: string, network: TonNetwork, publicKey: Buffer): boolean {
  const parsed = Address.parseRaw(address);
  if (!WORKCHAINS.includes(parsed.workChain)) return false;
  const owner: Owner = { publicKey, network, workchain: parsed.workChain };
  return CREATE_ALL.some(([, create]) =>
    contractAddress(parsed.workChain, create(owner).init).equals(parsed),
  );
}

/** The wallets that apps made before v4, oldest first. */
export const OLD_VERSIONS = ['v1r1', 'v1r2', 'v1r3', 'v2r1', 'v2r2', 'v3r1', 'v3r2'] as const;
type OldWalletVersion = (typeof OLD_VERSIONS)[number];

/** The wallets of a key (32 bytes) before v4, oldest first, in the workchain and with the wallet id that apps use; raw. */
export function oldWalletsOf(publicKey: Buffer): { version: OldWalletVersion; address: string }[] {
  // No wallet before v5 depends on the network.
  const owner: Owner = { publicKey, network: 'mainnet', workchain: 0 };
  return OLD_VERSIONS.map(version => ({
    version,
    address: contractAddress(0, CREATE[version](owner).init).toRawString(),
  }));
}
