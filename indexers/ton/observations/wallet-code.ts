import type { Cell } from '@ton/core';
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from '@ton/ton';
import type { WalletVersion } from '../../../contracts/chain/ton-contract';

const publicKey = Buffer.alloc(32);
const options = { workchain: 0, publicKey };

type OfPackage = Exclude<WalletVersion, 'v4r1'>;
const CREATE: Readonly<Record<OfPackage, () => { readonly init: { readonly code: Cell } }>> = {
  v1r1: () => WalletContractV1R1.create(options),
  v1r2: () => WalletContractV1R2.create(options),
  v1r3: () => WalletContractV1R3.create(options),
  v2r1: () => WalletContractV2R1.create(options),
  v2r2: () => WalletContractV2R2.create(options),
  v3r1: () => WalletContractV3R1.create(options),
  v3r2: () => WalletContractV3R2.create(options),
  v4r2: () => WalletContractV4.create(options),
  v5beta: () => WalletContractV5Beta.create({ publicKey }),
  v5r1: () => WalletContractV5R1.create({ publicKey }),
};

/** The package has no v4r1: the hash of its code as the documentation of TON lists it. */
const V4R1 = 'ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=';

let versions: ReadonlyMap<string, WalletVersion> | undefined;

/** The version of the wallet that has code of this hash (base64), computed from the code in `@ton/ton`; null: no wallet. */
export function walletVersion(codeHash: string): WalletVersion | null {
  versions ??= new Map([
    ...Object.entries(CREATE).map(
      ([version, create]) =>
        [create().init.code.hash().toString('base64'), version as WalletVersion] as const,
    ),
    [V4R1, 'v4r1'] as const,
  ]);
  return versions.get(codeHash) ?? null;
}
