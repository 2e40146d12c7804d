import { Address, beginCell, Cell, Dictionary, storeStateInit, type StateInit } from '@ton/core';
import { keyPairFromSeed, sign } from '@ton/crypto';
import { WalletContractV3R2 } from '@ton/ton';
import bs58 from 'bs58';
import { connectCardWallet } from '../../../contracts/http/card/enrolment';
import type { Problem } from '../../../contracts/problem/problem';
import {
  initOfV4,
  initOfV5,
  signedHash,
  solanaElement,
  tonAccountBytes,
  tonElement,
} from '../../../test/card/prove';
import { solanaProofHash, tonProofHash } from './proof-hash';
import { verifyProofs, type Proven } from './verify-proofs';

const keys = keyPairFromSeed(Buffer.alloc(32, 1));
const others = keyPairFromSeed(Buffer.alloc(32, 2));
const timestamp = 1_800_000_000;
const domain = '127.0.0.1:3000';
const terms = { network: 'mainnet', domains: [domain], now: new Date(timestamp * 1_000) } as const;

/** As an endpoint does it. @throws Problem; ZodError of a body that is a 400 */
const verify = (body: unknown, options = {}): Proven =>
  verifyProofs(connectCardWallet.body!.parse(body), { ...terms, ...options });

/** The code of the problem, or `400` of a body that is none. */
function refusalOf(body: unknown, options = {}): string {
  if (!connectCardWallet.body!.safeParse(body).success) return '400';
  try {
    verify(body, options);
    return 'accepted';
  } catch (error) {
    return (error as Problem).code;
  }
}

const ton = (options = {}) => tonElement({ keys, init: initOfV5(keys), domain, timestamp, ...options });
const solana = (options = {}) => solanaElement({ keys, domain, timestamp, ...options });

interface Changeable {
  network: string;
  key: { kind: string; config: { address: string; proof: Record<string, unknown> } };
}

/** An element with something else in it than was signed. */
function changed<E>(element: E, change: (element: Changeable) => void): E {
  const copy = structuredClone(element);
  change(copy as unknown as Changeable);
  return copy;
}

describe('the vectors of the app', () => {
  const ADDRESS = '0:9d1e1843624c4d175a695a8c2de8a5a61f03b93336e8caa4e164bf6cbbab205e';
  const KEY = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9';
  const text = (host: string, payload: string) => ({ domain: host, timestamp, payload });

  it.each([
    [
      '127.0.0.1:3000',
      'b4d45e6d96187b64f10c5fa89d61d44b098d1fcc98a3e7692c94f0e5c36e6640',
      'qIxsgIsko65TCjxYhGd15v9ZJSHscPACL8OS1hn7RIWLsrgqLegFsK2nD7Rpw6dcf1TGZjV4kT/oCfpN+jTaBg==',
      'b372eacad3ad848f129e64d49e273cc3de39b0a2ceeed3d9fed04244c23fc740',
      '37dKhvDAHhqLNirZDGnT3vo4JF3rbNQ9hKnxXYC3GRPT6CAhfjFHP4v43BKSTq117gU4dzZvUAP9pq8GJbSFtwzB',
    ],
    [
      'tonhub.holders.io',
      '1a0bfdf614bbf4759ea61f1a7778983426718eefe255f60ab1db3840a2cb9ea4',
      'gwoPXIl5dW8XFBLowq60hLzUlzazxGuzO7TNPT+7sZX9opFjdEfN3rpXdpwa72tB/58m9h0AFcuXBTAUjiuTBg==',
      '790f4330ab1fbb56116fcc1ab51c631cb7c5eb2598fc69b4abe17e77ca087d27',
      'j3NbMStCQ2RFjeUKdWSdiFn8z6iTh9MLEbA4aQf43SPNpoKwvqjVqccpAkES8ECkZAFbHZueJNzfZHj98ujnwoS',
    ],
  ])(
    'for %s are what is signed, and are accepted',
    (host, tonHash, tonSignature, solanaHash, solanaSignature) => {
      expect(tonProofHash(ADDRESS, text(host, 'ton-proof-any')).toString('hex')).toBe(tonHash);
      expect(solanaProofHash(KEY, text(host, 'solana-proof-any')).toString('hex')).toBe(solanaHash);
      const pair = [ton({ domain: host }), solana({ domain: host })] as const;
      expect(pair[0].key.config).toMatchObject({ address: ADDRESS, proof: { signature: tonSignature } });
      expect(pair[1].key.config).toMatchObject({ address: KEY, proof: { signature: solanaSignature } });
      expect(verify(pair, { domains: [host] })).toMatchObject({
        publicKey: '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
        wallets: [
          { chain: 'ton', address: ADDRESS, version: 'v5r1' },
          { chain: 'solana', address: KEY, version: null },
        ],
      });
    },
  );

  it('have the address of v4R2, and that of a Ledger alone is accepted', () => {
    const { wallets, proofs } = verify(ton({ init: initOfV4(keys) }));
    expect(wallets).toEqual([
      {
        chain: 'ton',
        address: '0:efaff4bac220f88b2e98eb1d9cffcca3bfe3b66ece31a7d6c5890d30dfd7afa5',
        version: 'v4r2',
      },
    ]);
    expect(proofs).toHaveLength(1);
  });
});

describe('accepted are', () => {
  it.each([
    ['both proofs', [ton(), solana()], {}],
    ['proofs a second apart', [ton(), solana({ timestamp: timestamp + 1 })], {}],
    ['a proof five minutes ago', ton({ timestamp: timestamp - 300 }), {}],
    ['a proof a minute ahead', ton({ timestamp: timestamp + 60 }), {}],
    ['another payload, of 128 bytes', ton({ payload: 'p'.repeat(128) }), {}],
    [
      'the test networks',
      [ton({ network: 'testnet', init: initOfV5(keys, 'testnet') }), solana({ network: 'devnet' })],
      { network: 'testnet' },
    ],
    ['no public key beside the state', changed(ton(), ({ key }) => delete key.config.proof['publicKey']), {}],
  ])('%s', (_what, body, options) => {
    expect(refusalOf(body, options)).toBe('accepted');
  });
});

describe('refused are, with 400,', () => {
  it.each([
    ['an array of one', [ton()]],
    ['an array of three', [ton(), solana(), solana()]],
    ['the other order', [solana(), ton()]],
    ['no second element', [ton(), null]],
    ['Solana alone', solana()],
    ['other kinds', changed(ton(), ({ key }) => (key.kind = 'ton-x'))],
    ['the kind of old Ledgers', changed(ton(), ({ key }) => (key.kind = 'tonhub-ledger-v1'))],
    [
      'a length that is not that of the domain',
      changed(ton(), ({ key }) => (key.config.proof['domain'] = { lengthBytes: 13, value: domain })),
    ],
    ['a timestamp as text', changed(ton(), ({ key }) => (key.config.proof['timestamp'] = String(timestamp)))],
    ['a timestamp between seconds', changed(ton(), ({ key }) => (key.config.proof['timestamp'] = 1.5))],
    ['a timestamp of 2^53', changed(ton(), ({ key }) => (key.config.proof['timestamp'] = 2 ** 53))],
    ['a timestamp below zero', changed(ton(), ({ key }) => (key.config.proof['timestamp'] = -1))],
    ['a payload of 129 bytes', ton({ payload: 'é'.repeat(64) + 'p' })],
    [
      'a wallet of the masterchain',
      tonElement({ keys, init: initOfV4(keys), domain, timestamp, workchain: -1 }),
    ],
    ['a signature that is too short', changed(ton(), ({ key }) => (key.config.proof['signature'] = 'AAAA'))],
  ])('%s', (_what, body) => {
    expect(refusalOf(body)).toBe('400');
  });

  it.each([
    ['testnet at the mount of the main network', ton({ network: 'testnet', init: initOfV4(keys) }), {}],
    ['the main network at the mount of testnet', ton({ init: initOfV4(keys) }), { network: 'testnet' }],
    ['devnet beside the main network', [ton(), solana({ network: 'devnet' })], {}],
    [
      'the main network of Solana beside testnet',
      [ton({ network: 'testnet', init: initOfV4(keys) }), solana()],
      { network: 'testnet' },
    ],
  ])('%s', (_what, body, options) => {
    expect(refusalOf(body, options)).toBe('invalid_request');
  });
});

/** The state of a v5 whose first bit says that no signature is accepted. */
function withoutSignatures(): StateInit {
  const { code, data } = initOfV5(keys);
  const rest = data!.beginParse().skip(1);
  return { code: code!, data: beginCell().storeBit(false).storeSlice(rest).endCell() };
}

const v3 = WalletContractV3R2.create({ workchain: 0, publicKey: keys.publicKey }).init;

describe('refused is, as not signed by the wallet,', () => {
  const stateOf = (init: StateInit): string =>
    beginCell().store(storeStateInit(init)).endCell().toBoc().toString('base64');

  it.each([
    ['a domain without its port', ton({ domain: '127.0.0.1' })],
    ['a domain in upper case', ton({ domain: 'TONHUB.HOLDERS.IO' })],
    ['another domain', ton({ domain: 'evil.example' })],
    ['a domain of other letters', ton({ domain: 'tоnhub.holders.io' })],
    [
      'a domain that was not signed',
      changed(ton({ domain: 'evil.example' }), ({ key }) => {
        key.config.proof['domain'] = { lengthBytes: domain.length, value: domain };
      }),
    ],
    [
      'a signature of another key',
      changed(ton(), ({ key }) => {
        key.config.proof['signature'] = ton({ keys: others }).key.config.proof.signature;
      }),
    ],
    ['a payload that was not signed', changed(ton(), ({ key }) => (key.config.proof['payload'] = 'other'))],
    [
      'another public key than that of the state',
      changed(ton(), ({ key }) => {
        key.config.proof['publicKey'] = others.publicKey.toString('hex');
      }),
    ],
    ['proofs of two keys', [ton(), solana({ keys: others })]],
    [
      'the address of another wallet',
      changed(ton(), ({ key }) => {
        key.config.address = ton({ init: initOfV4(keys) }).key.config.address;
      }),
    ],
    [
      'the state of another version with the same key',
      changed(ton({ init: initOfV4(keys) }), ({ key }) => {
        key.config.proof['walletStateInit'] = stateOf(v3);
      }),
    ],
    ['a wallet of a version that the app does not make', ton({ init: v3 })],
    ['a wallet that accepts no signatures', ton({ init: withoutSignatures() })],
    ['a wallet of another network', ton({ init: initOfV5(keys, 'testnet') })],
    ['code that nobody knows', ton({ init: { code: Cell.EMPTY, data: initOfV5(keys).data! } })],
    [
      'a state that is none',
      changed(ton(), ({ key }) => {
        key.config.proof['walletStateInit'] = Cell.EMPTY.toBoc().toString('base64');
      }),
    ],
    [
      'a key of small order',
      ton({
        keys: { publicKey: Buffer.alloc(32), secretKey: keys.secretKey },
        init: initOfV5({ publicKey: Buffer.alloc(32) }),
      }),
    ],
  ])('%s', (_what, body) => {
    expect(refusalOf(body)).toBe('signature_invalid');
  });

  it('the proof of TON as one of Solana: what is signed differs in four bytes', () => {
    const address = bs58.encode(keys.publicKey);
    const asTon = sign(
      signedHash(tonAccountBytes(new Address(0, keys.publicKey)), {
        domain,
        timestamp,
        payload: 'solana-proof-any',
      }),
      keys.secretKey,
    );
    const body = [
      ton(),
      changed(solana(), ({ key }) => (key.config.proof['signature'] = bs58.encode(asTon))),
    ];
    expect((body[1] as Changeable).key.config.address).toBe(address);
    expect(refusalOf(body)).toBe('signature_invalid');
  });
});

it.each([
  ['301 seconds ago', timestamp - 301],
  ['61 seconds ahead', timestamp + 61],
])('a proof %s has expired', (_what, at) => {
  expect(refusalOf(ton({ timestamp: at }))).toBe('signature_expired');
  expect(refusalOf([ton(), solana({ timestamp: at })])).toBe('signature_expired');
});

it('a state with very many cells is refused before it is hashed', () => {
  const leaves = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(16));
  for (let n = 0; n < 200; n++) leaves.set(n, n);
  const data = beginCell().storeDict(leaves).endCell();
  expect(refusalOf(ton({ init: { code: initOfV5(keys).code!, data } }))).toBe('400');
});
