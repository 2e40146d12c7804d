import { anyWallet } from './order-wallet';

const RAW = `0:${'07'.repeat(32)}`;
const TON = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const TESTNET = 'kQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB3nr';

test.each([TON, RAW, 'EQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB8Jh'])('%s is the same wallet', text => {
  expect(anyWallet(text, '/body/wallet')).toEqual({ chain: 'ton', network: 'mainnet', address: RAW });
});

test('an address of testnet is none', () => {
  const mismatch = expect.objectContaining({ status: 400, code: 'network_mismatch' }) as Error;
  expect(() => anyWallet(TESTNET, '/body/wallet')).toThrow(mismatch);
});
