import { EXCHANGE_TARGETS } from '../../../contracts/http/exchange/fields';
import { anyWallet, receiverOf } from './wallet';

const RAW = `0:${'07'.repeat(32)}`;
const TON = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const TESTNET = 'kQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB3nr';
const SOLANA = 'So11111111111111111111111111111111111111112';

const ton = { chain: 'ton', network: 'mainnet', address: RAW };
const solana = { chain: 'solana', network: 'mainnet', address: SOLANA };
const chainOf = { ton, usdton: ton, sol: solana, usdcsol: solana };

test.each(EXCHANGE_TARGETS)('%s is received by a wallet of its chain only', target => {
  const expected = chainOf[target];
  const [right, wrong] = expected === ton ? [TON, SOLANA] : [SOLANA, TON];
  expect(receiverOf(target, right, '/body/wallet')).toEqual(expected);
  expect(() => receiverOf(target, wrong, '/body/wallet')).toThrow(
    expect.objectContaining({ status: 400, errors: [expect.objectContaining({ pointer: '/body/wallet' })] }),
  );
});

test.each([TON, RAW, 'EQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB8Jh'])('%s is the same wallet', text => {
  expect(anyWallet(text, '/body/wallet')).toEqual(ton);
});

test('an address of testnet is none', () => {
  const mismatch = expect.objectContaining({ status: 400, code: 'network_mismatch' }) as Error;
  expect(() => anyWallet(TESTNET, '/body/wallet')).toThrow(mismatch);
  expect(() => receiverOf('ton', TESTNET, '/body/wallet')).toThrow(mismatch);
});
