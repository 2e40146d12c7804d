import { beginCell, Cell, contractAddress, toNano } from '@ton/core';
import { Blockchain, createShardAccount } from '@ton/sandbox';
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
import { isWalletOfKey, oldWalletsOf, walletPublicKey, walletVersion } from './ton-wallet';

const publicKey = Buffer.from([...Array(32).keys()]);
const HEX = publicKey.toString('hex');
const options = { workchain: 0, publicKey };
const OF_TESTNET = { networkGlobalId: -3 };

/** As clients of `@ton/ton` make them. */
const WALLETS = {
  v1r1: WalletContractV1R1.create(options),
  v1r2: WalletContractV1R2.create(options),
  v1r3: WalletContractV1R3.create(options),
  v2r1: WalletContractV2R1.create(options),
  v2r2: WalletContractV2R2.create(options),
  v3r1: WalletContractV3R1.create(options),
  v3r2: WalletContractV3R2.create(options),
  v4r2: WalletContractV4.create(options),
  v5beta: WalletContractV5Beta.create({ publicKey }),
  v5r1: WalletContractV5R1.create({ publicKey }),
} as const;
const versions = Object.keys(WALLETS) as (keyof typeof WALLETS)[];

it.each(versions)('%s is known by its code, and has its key in its data', version => {
  const { code, data } = WALLETS[version].init;
  expect(walletVersion(code.hash().toString('base64'))).toBe(version);
  expect(walletPublicKey(version, data)).toBe(HEX);
});

it('every wallet before v4 is an old one', () =>
  expect(oldWalletsOf(publicKey)).toEqual(
    versions
      .filter(version => version < 'v4')
      .map(version => ({ version, address: WALLETS[version].address.toRawString() })),
  ));

describe('in the virtual machine', () => {
  /** What a get method of a wallet answers, with this data. */
  async function ask(code: Cell, data: Cell, method: string): Promise<bigint> {
    const blockchain = await Blockchain.create();
    const address = contractAddress(0, { code, data });
    await blockchain.setShardAccount(
      address,
      createShardAccount({ address, code, data, balance: toNano(1), workchain: 0 }),
    );
    return (await blockchain.runGetMethod(address, method)).stackReader.readBigNumber();
  }

  it.each(['v1r3', 'v2r2', 'v3r2', 'v4r2', 'v5r1'] as const)('%s itself says the same key', async version => {
    const { code, data } = WALLETS[version].init;
    expect((await ask(code, data, 'get_public_key')).toString(16).padStart(64, '0')).toBe(HEX);
  });

  it('v5r1 that says it accepts no signatures has no key', async () => {
    const { code, data } = WALLETS.v5r1.init;
    const refusing = beginCell().storeBit(0).storeSlice(data.beginParse().skip(1)).endCell();
    expect(await ask(code, refusing, 'is_signature_allowed')).toBe(0n);
    expect(walletPublicKey('v5r1', refusing)).toBeNull();
    expect(await ask(code, data, 'is_signature_allowed')).toBe(-1n);
  });
});

it('data of something else has no key', () => {
  for (const data of [Cell.EMPTY, beginCell().storeUint(0, 200).endCell()])
    expect(() => walletPublicKey('v4r2', data)).toThrow();
});

describe('the wallets of a key', () => {
  it.each(versions)('include its %s', version => {
    expect(isWalletOfKey(WALLETS[version].address.toRawString(), 'mainnet', publicKey)).toBe(true);
    expect(isWalletOfKey(WALLETS[version].address.toRawString(), 'mainnet', Buffer.alloc(32, 9))).toBe(false);
  });

  it('of version 5 are others on testnet', () => {
    const own = WalletContractV5R1.create({ publicKey, walletId: OF_TESTNET }).address.toRawString();
    expect(isWalletOfKey(own, 'testnet', publicKey)).toBe(true);
    expect(isWalletOfKey(own, 'mainnet', publicKey)).toBe(false);
    expect(isWalletOfKey(WALLETS.v5r1.address.toRawString(), 'testnet', publicKey)).toBe(false);
  });

  it('may be in the masterchain, and in no workchain that does not exist', () => {
    const own = WalletContractV4.create({ workchain: -1, publicKey }).address.toRawString();
    expect(isWalletOfKey(own, 'mainnet', publicKey)).toBe(true);
    for (const workchain of [-2, 1, 300])
      expect(isWalletOfKey(own.replace('-1:', `${workchain}:`), 'mainnet', publicKey)).toBe(false);
  });
});
