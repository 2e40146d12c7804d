import { formatTonAddress } from './address';
import { parseAccountAddress } from './account-address';

const RAW = `0:${'ab'.repeat(32)}`;
const SOLANA = 'So11111111111111111111111111111111111111112';
const mainnet = { chain: 'ton', network: 'mainnet', address: RAW };

it.each([
  [RAW, mainnet],
  [RAW.toUpperCase(), mainnet],
  [formatTonAddress(RAW, 'mainnet'), mainnet],
  [formatTonAddress(RAW, 'mainnet', false), mainnet],
  [formatTonAddress(RAW, 'testnet'), { ...mainnet, network: 'testnet' }],
  [SOLANA, { chain: 'solana', network: 'mainnet', address: SOLANA }],
  ['bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh', null],
  ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', null],
  ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', null],
  ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', null],
  ['', null],
])('%s', (text, account) => expect(parseAccountAddress(text)).toEqual(account));
