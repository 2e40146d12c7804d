import { Address, beginCell, Cell, TupleReader, type TupleItem } from '@ton/core';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import type { TonContractObserved } from '../../../contracts/chain/ton-contract';
import type { TonNetwork } from '../../../contracts/network/network';
import {
  GetMethodFailed,
  type TonAccountLite,
  type TonAccountState,
  type TonClient,
} from '../../../contracts/ports/ton-client';
import { observe } from '../../../test/contracts/observation';
import { tonContractObservation } from './contract';

const raw = (digits: string): string => `0:${digits.repeat(32)}`;
const SUBJECT = raw('01');
const OTHER = raw('02');
const OWNER = raw('03');
const UNKNOWN_CODE = Cell.EMPTY.hash().toString('base64');

const int = (value: bigint): TupleItem => ({ type: 'int', value });
const address = (text: string | null): TupleItem => ({
  type: 'slice',
  cell: beginCell()
    .storeAddress(text === null ? null : Address.parseRaw(text))
    .endCell(),
});
const cell = (value: Cell): TupleItem => ({ type: 'cell', cell: value });
const NULL: TupleItem = { type: 'null' };

type Methods = Readonly<Record<string, Readonly<Record<string, readonly TupleItem[]>>>>;

/** Reads the subject with a double of the client: an account, and the get methods of contracts. */
async function read(
  account: Partial<TonAccountLite & Pick<TonAccountState, 'data'>>,
  methods: Methods = {},
  network: TonNetwork = 'mainnet',
): Promise<TonContractObserved> {
  const ton: Partial<TonClient> = {
    getLastBlock: async () => ({ seqno: 7, now: 0 }),
    getAccountLite: async () => ({
      balance: 0n,
      status: 'active',
      codeHash: UNKNOWN_CODE,
      dataHash: null,
      stateHash: null,
      storage: null,
      lastTransaction: { lt: '1', hash: '' },
      ...account,
    }),
    getAccount: async () => account as TonAccountState,
    async runMethod(_seqno, of, method) {
      const stack = methods[of]?.[method];
      if (!stack) throw new GetMethodFailed(method, 11);
      return new TupleReader([...stack]);
    },
  };
  const { height, data } = await observe(tonContractObservation, { network, address: SUBJECT }, { ton });
  expect(height).toBe(7);
  return data;
}

const kindOf = async (methods: Methods) => (await read({}, methods)).contract;

describe('wallets', () => {
  const options = { workchain: 0, publicKey: Buffer.alloc(32, 7) };
  const hashOf = ({ init }: { init: { code: Cell } }): string => init.code.hash().toString('base64');
  const v4 = WalletContractV4.create(options);
  const v5 = WalletContractV5R1.create(options);
  const publicKey = '07'.repeat(32);

  it.each([
    ['v3r2', hashOf(WalletContractV3R2.create(options)), WalletContractV3R2.create(options).init.data],
    ['v4r1', 'ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', v4.init.data],
    ['v4r2', hashOf(v4), v4.init.data],
    ['v5r1', hashOf(v5), v5.init.data],
  ])('%s is known by its code alone, and has its key', async (version, codeHash, data) => {
    expect(await read({ codeHash, data })).toEqual({
      state: 'active',
      codeHash,
      contract: { kind: 'wallet', version, publicKey },
    });
  });

  it('have no key where their data has none', async () => {
    for (const data of [null, Cell.EMPTY, beginCell().storeUint(1, 33).endCell()])
      expect((await read({ codeHash: hashOf(v4), data })).contract).toEqual({
        kind: 'wallet',
        version: 'v4r2',
        publicKey: null,
      });
  });
});

describe('an account without code', () => {
  const empty = { status: 'uninitialized', codeHash: null, lastTransaction: null } as const;
  it.each([
    ['non-existing', 'that nobody has ever used', empty],
    ['uninitialized', 'that has received something', { ...empty, balance: 1n }],
    ['uninitialized', 'that was emptied', { ...empty, lastTransaction: { lt: '1', hash: '' } }],
    ['frozen', 'that is frozen', { ...empty, status: 'frozen' } as const],
  ])('is %s: one %s', async (state, _which, account) => {
    expect(await read(account)).toEqual({ state, codeHash: null, contract: null });
  });
});

describe('a jetton wallet', () => {
  const wallet = {
    get_wallet_data: [int(5n), address(OWNER), address(OTHER), cell(Cell.EMPTY)],
  };
  it('counts when its master confirms it', async () => {
    expect(await kindOf({ [SUBJECT]: wallet, [OTHER]: { get_wallet_address: [address(SUBJECT)] } })).toEqual({
      kind: 'jetton-wallet',
      balance: '5',
      owner: OWNER,
      master: OTHER,
    });
  });
  it('does not when its master names another one, or is none', async () => {
    expect(await kindOf({ [SUBJECT]: wallet, [OTHER]: { get_wallet_address: [address(OWNER)] } })).toBeNull();
    expect(await kindOf({ [SUBJECT]: wallet })).toBeNull();
  });
  it('does not with a balance below zero', async () => {
    const negative = { get_wallet_data: [int(-1n), address(OWNER), address(OTHER), cell(Cell.EMPTY)] };
    expect(
      await kindOf({ [SUBJECT]: negative, [OTHER]: { get_wallet_address: [address(SUBJECT)] } }),
    ).toBeNull();
  });
});

describe('a jetton', () => {
  const LINK = 'https://example.com/jetton.json';
  const content = beginCell().storeUint(1, 8).storeStringTail(LINK).endCell();
  const jetton = (supply: bigint, admin: TupleItem): Methods => ({
    [SUBJECT]: {
      get_jetton_data: [int(supply), int(-1n), admin, cell(content), cell(Cell.EMPTY)],
      get_wallet_address: [address(OTHER)],
    },
  });
  const expected = {
    kind: 'jetton-master',
    totalSupply: '9',
    mintable: true,
    content: expect.objectContaining({ kind: 'offchain', uri: LINK }) as unknown,
  };
  it.each([
    ['an owner', address(OWNER), OWNER],
    ['no address for its owner', address(null), null],
    ['nothing for its owner', NULL, null],
  ])('has %s', async (_what, item, admin) => {
    expect(await kindOf(jetton(9n, item))).toEqual({ ...expected, admin });
  });
  it('is none without its wallets, or with a supply below zero', async () => {
    const { get_jetton_data } = jetton(9n, NULL)[SUBJECT]!;
    expect(await kindOf({ [SUBJECT]: { get_jetton_data: get_jetton_data! } })).toBeNull();
    expect(await kindOf(jetton(-1n, NULL))).toBeNull();
  });
});

describe('an NFT item', () => {
  const item = (initialized: bigint, collection: TupleItem): Methods[string] => ({
    get_nft_data: [int(initialized), int(3n), collection, address(OWNER), cell(Cell.EMPTY)],
  });
  const expected = { kind: 'nft-item', index: '3', collection: OTHER, owner: OWNER };
  it('counts when its collection confirms it', async () => {
    const collection = (of: string) => ({ get_nft_address_by_index: [address(of)] });
    const own = { [SUBJECT]: item(-1n, address(OTHER)) };
    expect(await kindOf({ ...own, [OTHER]: collection(SUBJECT) })).toEqual(expected);
    expect(await kindOf({ ...own, [OTHER]: collection(OWNER) })).toBeNull();
    expect(await kindOf(own)).toBeNull();
  });
  it('of no collection counts once it is initialized', async () => {
    const single = { ...expected, collection: null };
    expect(await kindOf({ [SUBJECT]: item(-1n, address(null)) })).toEqual(single);
    expect(await kindOf({ [SUBJECT]: item(0n, address(null)) })).toBeNull();
  });
});

describe('a vault of DeDust', () => {
  const FACTORY = Address.parse('EQBfBWT7X2BHg9tXAxzhz2aKiNTU1tpt5NsiK0uSDW_YAJ67').toRawString();
  const coins: TupleItem = { type: 'slice', cell: beginCell().storeUint(0, 4).endCell() };
  const methods = (vault: string): Methods => ({
    [SUBJECT]: { get_asset: [coins] },
    [FACTORY]: { get_vault_address: [address(vault)] },
  });
  it('counts when the factory confirms it, on mainnet', async () => {
    expect(await kindOf(methods(SUBJECT))).toEqual({ kind: 'dedust-vault' });
    expect(await kindOf(methods(OTHER))).toBeNull();
    expect(await kindOf({ [SUBJECT]: { get_asset: [coins] } })).toBeNull();
    expect((await read({}, methods(SUBJECT), 'testnet')).contract).toBeNull();
  });
});

it('knows no kind of a contract that answers with something else', async () => {
  const nonsense = [NULL, cell(Cell.EMPTY)];
  const methods = { get_wallet_data: nonsense, get_nft_data: nonsense, get_jetton_data: [] };
  expect(await kindOf({ [SUBJECT]: methods })).toBeNull();
});

it('is unknown for the time being when the source does not answer', async () => {
  const ton: Partial<TonClient> = {
    getLastBlock: async () => ({ seqno: 7, now: 0 }),
    getAccountLite: async () => ({
      status: 'active',
      codeHash: UNKNOWN_CODE,
      balance: 0n,
      dataHash: null,
      stateHash: null,
      storage: null,
      lastTransaction: null,
    }),
    runMethod: async () => {
      throw new Error('unreachable');
    },
  };
  const subject = { network: 'mainnet', address: SUBJECT } as const;
  await expect(observe(tonContractObservation, subject, { ton })).rejects.toThrow('unreachable');
});

it('writes its subject as the key of the account, and reads it back', () => {
  const { format, parse } = tonContractObservation.subject;
  for (const subject of [
    { network: 'mainnet', address: SUBJECT },
    { network: 'testnet', address: `-1:${'55'.repeat(32)}` },
  ] as const)
    expect(parse(format(subject))).toEqual(subject);
  expect(format({ network: 'mainnet', address: SUBJECT })).toBe(`ton:mainnet:${SUBJECT}`);
  expect(() => parse('solana:mainnet:x')).toThrow();
  expect(() => parse(`ton:devnet:${SUBJECT}`)).toThrow();
});
