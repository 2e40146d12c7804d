import { beginCell, safeSign } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import fc from 'fast-check';
import type { ConnectWallet } from '../../contracts/events/connect-session';
import { runs } from '../../test/random';
import { isSignedByWallet } from './wallet';

const key = Buffer.alloc(32, 1).toString('base64url');
const appPublicKey = Buffer.alloc(32, 2).toString('base64url');
const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 3));
const pk = publicKey.toString('hex');

/** What the wallet of an address signs, with the key of another one if need be. */
function signed(
  contract: WalletContractV4 | WalletContractV5R1,
  fields: Pick<ConnectWallet, 'walletType' | 'walletConfig'>,
  endpoint: string | null = 'https://connect.example',
): ConnectWallet {
  const cell = beginCell()
    .storeCoins(0)
    .storeBuffer(Buffer.from(key, 'base64url'))
    .storeAddress(contract.address)
    .storeMaybeRef(endpoint === null ? null : beginCell().storeBuffer(Buffer.from(endpoint)).endCell())
    .storeRef(beginCell().storeBuffer(Buffer.from(appPublicKey, 'base64url')).endCell())
    .endCell();
  const walletSig = safeSign(cell, secretKey).toString('base64');
  return { ...fields, address: contract.address.toRawString(), walletSig, appPublicKey, endpoint };
}

const v4 = 'org.ton.wallets.v4';
const v5 = 'org.ton.wallets.v5';

it.each([
  [v4, WalletContractV4.create({ workchain: 0, publicKey }), `wc=0,pk=${pk},walletId=698983191`],
  [v4, WalletContractV4.create({ workchain: -1, publicKey }), `walletId=698983190,pk=${pk},wc=-1`],
  [
    v4,
    WalletContractV4.create({ workchain: 0, publicKey, walletId: 2 ** 32 - 1 }),
    `wc=0,pk=${pk},walletId=4294967295`,
  ],
  // Mainnet, testnet, and a subwallet in the masterchain.
  [
    v5,
    WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } }),
    `wc=0,pk=${pk},walletId=2147483409`,
  ],
  [
    v5,
    WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -3 } }),
    `wc=0,pk=${pk},walletId=2147483645`,
  ],
  [
    v5,
    WalletContractV5R1.create({
      publicKey,
      walletId: {
        networkGlobalId: -239,
        context: { walletVersion: 'v5r1', workchain: -1, subwalletNumber: 5 },
      },
    }),
    `wc=-1,pk=${pk},walletId=${(-239 ^ ((1 << 31) | (0xff << 23) | 5)) | 0}`,
  ],
] as const)('%s is known by its configuration and key: %#', (walletType, contract, walletConfig) => {
  for (const endpoint of ['https://connect.example', null, 'e'.repeat(127)]) {
    const wallet = signed(contract, { walletType, walletConfig }, endpoint);
    expect(isSignedByWallet(key, wallet)).toBe(true);
    expect(isSignedByWallet(appPublicKey, wallet)).toBe(false);
    const walletSig = Buffer.from(wallet.walletSig, 'base64');
    walletSig[7]! ^= 1;
    expect(isSignedByWallet(key, { ...wallet, walletSig: walletSig.toString('base64') })).toBe(false);
  }
});

it.each(['00', 'ff', '01'])('a key that is no point of the curve has signed nothing: %s', byte => {
  const wrong = Buffer.from(byte.repeat(32), 'hex');
  const contract = WalletContractV4.create({ workchain: 0, publicKey: wrong });
  const walletConfig = `wc=0,pk=${byte.repeat(32)},walletId=698983191`;
  expect(isSignedByWallet(key, signed(contract, { walletType: v4, walletConfig }))).toBe(false);
});

it('any other text is no configuration', () => {
  const right = signed(WalletContractV4.create({ workchain: 0, publicKey }), {
    walletType: v4,
    walletConfig: '',
  });
  const part = fc.oneof(
    fc.constantFrom(
      'wc=0',
      'wc=1',
      'wc=',
      `pk=${pk}`,
      `pk=${pk.slice(2)}`,
      'walletId=698983191',
      'walletId=-1',
      'walletId=1e3',
      'wc',
      '=',
      '',
    ),
    fc.string({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), fc.constantFrom(v4, v5), (parts, walletType) => {
      const isRight =
        walletType === v4 &&
        [...parts].sort().join() === ['walletId=698983191', `pk=${pk}`, 'wc=0'].sort().join();
      expect(isSignedByWallet(key, { ...right, walletType, walletConfig: parts.join() })).toBe(isRight);
    }),
    runs(300),
  );
});
