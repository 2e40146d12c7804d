import { formatTonAddress, parseTonAddress } from './address';

const RAW = `0:${'ab'.repeat(32)}`;
const FRIENDLY = formatTonAddress(RAW, 'mainnet');

it.each([
  [RAW, { raw: RAW, testOnly: null }],
  [RAW.toUpperCase(), { raw: RAW, testOnly: null }],
  [`-1:${'07'.repeat(32)}`, { raw: `-1:${'07'.repeat(32)}`, testOnly: null }],
  [FRIENDLY, { raw: RAW, testOnly: false }],
  [formatTonAddress(RAW, 'testnet'), { raw: RAW, testOnly: true }],
  [`${RAW}/x`, null],
  [`${RAW}00`, null],
  [`0x:${'ab'.repeat(32)}`, null],
  [`0:${'ab'.repeat(31)}zz`, null],
  [`999:${'ab'.repeat(32)}`, null],
  [`${FRIENDLY}A`, null],
  [`${FRIENDLY.slice(0, -1)}A`, null],
  ['', null],
])('%s', (text, parsed) => expect(parseTonAddress(text)).toEqual(parsed));
