import type { TokenAttributes, TokenContent } from '../contracts/chain/ton-token-observations';
import { imageUrl, tokenAttributesOf, tokenImageUrl } from './token-attributes';

const NOTHING: TokenAttributes = {
  name: null,
  symbol: null,
  description: null,
  image: null,
  decimals: null,
  customPayloadApiUri: null,
  mintlessMerkleDumpUri: null,
};
const content = (kind: TokenContent['kind'], attributes: Partial<TokenAttributes> = {}): TokenContent => ({
  kind,
  uri: kind === 'onchain' ? null : 'https://a.example/x',
  attributes: { ...NOTHING, ...attributes },
});

it('takes what is on the chain before what is in the document', () => {
  const document = { ...NOTHING, name: 'document', decimals: 3, image: 'https://a.example/i' };
  expect(tokenAttributesOf(content('semichain', { name: 'chain', decimals: 0 }), document)).toEqual({
    ...NOTHING,
    name: 'chain',
    decimals: 0,
    image: 'https://a.example/i',
  });
});

it.each([
  ['on the chain that does not say', content('onchain'), null, 9],
  ['whose document does not say', content('offchain'), NOTHING, 9],
  ['whose document was never read', content('offchain'), null, null],
  [
    'whose document was never read, but whose decimals are on the chain',
    content('semichain', { decimals: 6 }),
    null,
    6,
  ],
  ['that cannot be read', { ...content('unreadable'), uri: null }, null, null],
] as const)('knows the decimals of a token %s', (_what, of, document, decimals) => {
  expect(tokenAttributesOf(of, document).decimals).toBe(decimals);
});

it.each([
  ['https://a.example/i', 'https://a.example/i'],
  ['ipfs://bafy/i', 'https://gateway.example/bafy/i'],
  ['data:image/png;base64,AAAA', null],
  ['data:text/html,<script>', null],
  ['javascript:alert(1)', null],
  ['http://a.example/i', null],
  ['file:///etc/passwd', null],
  [null, null],
])('shows %j as %j', (image, expected) => {
  expect(imageUrl(image, uri => uri.replace('ipfs://', 'https://gateway.example/'))).toBe(expected);
});

describe('the image of a token', () => {
  const token = { network: 'testnet', address: `0:${'0'.repeat(64)}` } as const;
  const digest = '0f'.repeat(16);
  const images = { gatewayUrl: (uri: string) => uri, api: 'https://api.example' };
  const contained = `https://api.example/tokens/image?address=kQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHTW&digest=${digest}`;

  it.each([
    ['what it names', { image: 'https://a.example/i', imageDigest: digest }, 'https://a.example/i'],
    ['what it contains', { imageDigest: digest }, contained],
    [
      'what it contains, where nobody can load what it names',
      { image: 'http://a.example/i', imageDigest: digest },
      contained,
    ],
    ['none', {}, null],
  ])('is %s', (_what, attributes, expected) => {
    expect(tokenImageUrl({ ...NOTHING, ...attributes }, token, images)).toBe(expected);
  });

  it('is what its document contains, where the chain has none', () => {
    const document = { ...NOTHING, imageDigest: digest };
    expect(tokenAttributesOf(content('semichain'), document).imageDigest).toBe(digest);
    const chain = content('semichain', { imageDigest: '1f'.repeat(16) });
    expect(tokenAttributesOf(chain, document).imageDigest).toBe('1f'.repeat(16));
  });
});
