import { WalletContractV4 } from '@ton/ton/dist/wallets/WalletContractV4';
import { keyPairFromSeed } from '@ton/crypto';
import type { ReadContract } from '../reads/read-ton-contract';
import { createWalletKeys } from './wallet-key';

const { publicKey } = keyPairFromSeed(Buffer.alloc(32, 7));
const wallet = WalletContractV4.create({ workchain: 0, publicKey });
const account = { chain: 'ton', network: 'testnet', address: wallet.address.toRawString() } as const;
const reader = { ip: '192.0.2.1', appendHeader: () => undefined };
const claimed = publicKey.toString('hex');

describe('the key of a wallet on a network that is off', () => {
  const read = jest.fn();
  const find = createWalletKeys(read as ReadContract, { ton: ['mainnet'], solana: [] });
  afterEach(() => expect(read).not.toHaveBeenCalled());

  it('is the claimed one from which its address derives', async () => {
    expect(await find(account, claimed, reader)).toEqual(publicKey);
  });

  it.each([undefined, 'ab'.repeat(32)])('is unknown with %s', async other => {
    await expect(find(account, other, reader)).rejects.toMatchObject({
      code: 'wallet_key_unknown',
      detail: expect.stringContaining('does not serve TON testnet'),
    });
  });
});
