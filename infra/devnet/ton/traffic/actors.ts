import { formatTonAddress } from '../../../../contracts/account/address';
import type { TonNetwork } from '../../../../contracts/network/network';
import { type LocalWallet, type WalletVersion, walletOfKey } from '../wallets';

/** A scripted account of the local network. */
export interface Actor extends LocalWallet {
  readonly name: string;
  /** 24 words. */
  readonly mnemonic: string;
}

/**
 * The first one issues the jetton. The private key (hex) is that of the mnemonic: computing five of them takes a second
 * of processor time at each start.
 */
const ACTORS = [
  {
    name: 'issuer',
    version: 'v5r1',
    mnemonic:
      'picture biology pair message run cash walk permit ring junk alien sea eight runway just dove exotic pet bean gospel unaware drop lava return',
    privateKey: '587c1bf01a8334f41e3d044e7177f4dba76c8af28d2b57c0fd80a28361042096',
  },
  {
    name: 'alice',
    version: 'v5r1',
    mnemonic:
      'cereal smart history change bar festival today waste build myth either garment poet camera venture pistol engage polar boring oxygen apology pave fan shoot',
    privateKey: 'c7e05eb529e70decb4e1c136c47a9031493646d0438f2f3cf0932cd08bc164b2',
  },
  {
    name: 'bob',
    version: 'v4r2',
    mnemonic:
      'pony select review ocean spoil someone green reopen riot surround fee student resource achieve skin power biology idea unusual left apology critic scrap example',
    privateKey: 'bdb688e14e355d322594d9c1740224056bc208fd7847326183d66431f3d5d15a',
  },
  {
    name: 'carol',
    version: 'v5r1',
    mnemonic:
      'jacket grant apart town twice famous net skate enjoy boy fire meat tired logic bag hello ladder teach ridge cry company hungry vital kiwi',
    privateKey: '6ebff9db615425d31288259d336d1123056ad3c965abbe1e76ba5cb3a2e51471',
  },
  {
    name: 'dave',
    version: 'v4r2',
    mnemonic:
      'guide brief tonight vague industry later raven sketch express ranch chapter devote chat opera twelve immune desert play illness zoo barely family tennis cluster',
    privateKey: '60800fa9d86f681f4c3714126808e13390910f9c2811f32b89b452d84e83d43f',
  },
] as const;

/** The same at each start, and with the same keys on every network. */
export function createActors(network: TonNetwork): readonly Actor[] {
  return ACTORS.map(({ name, version, mnemonic, privateKey }) => ({
    name,
    mnemonic,
    ...walletOfKey(Buffer.from(privateKey, 'hex'), version, network),
  }));
}

/** An account for anyone to use: its keys are public. */
export interface AccountDescription {
  readonly name: string;
  /** Not bounceable, for a first deposit; test-only on testnet. */
  readonly address: string;
  readonly rawAddress: string;
  readonly walletVersion: WalletVersion;
  /** 24 words. */
  readonly mnemonic: string;
  /** Hex. */
  readonly publicKey: string;
}

export function describeActor(actor: Actor, network: TonNetwork): AccountDescription {
  const rawAddress = actor.contract.address.toRawString();
  return {
    name: actor.name,
    address: formatTonAddress(rawAddress, network, false),
    rawAddress,
    walletVersion: actor.version,
    mnemonic: actor.mnemonic,
    publicKey: actor.keys.publicKey.toString('hex'),
  };
}
