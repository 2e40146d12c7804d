import { beginCell, Cell, TupleReader, type TupleItem } from '@ton/core';
import type { Clients } from '../../../contracts/observation/observation';
import { GetMethodFailed, type TonClient } from '../../../contracts/ports/ton-client';
import { onChainContent } from '../../../infra/devnet/ton/token-content';
import { noExchange } from '../../../test/doubles/no-exchange';
import { NO_WEB, webOf } from '../../../test/doubles/public-web';
import { accountAt } from '../../../test/ton/scripted-chain';
import { Address } from '@ton/core';
import { extraCurrenciesObservation } from './extra-currencies';
import { jettonMasterObservation } from './jetton-master';
import { jettonBalanceObservation, jettonWalletObservation } from './jetton-wallet';
import { ownedJettonObservation, unreadOwnedJetton } from './owned-jetton';
import { contractSubject } from './source';
import { tokenDocumentObservation } from './token-document';

const [OWNER, WALLET, MASTER, STRANGER] = [1, 2, 3, 4].map(accountAt) as [string, string, string, string];
const { signal } = new AbortController();

const address = (raw: string): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(Address.parseRaw(raw)).endCell(),
});
const int = (value: bigint): TupleItem => ({ type: 'int', value });
const nobody: TupleItem = { type: 'slice', cell: beginCell().storeAddress(null).endCell() };
const content: TupleItem = {
  type: 'cell',
  cell: onChainContent({ name: 'N', symbol: 'S', decimals: 2, description: '', image: '' }),
};
const code: TupleItem = { type: 'cell', cell: Cell.EMPTY };

/** A double: contracts that answer get methods with these stacks. */
function clientsOf(stacks: Readonly<Record<string, readonly TupleItem[]>>, web = NO_WEB): Clients {
  const client: Pick<TonClient, 'getLastBlock' | 'runMethod' | 'getJettonWallet'> = {
    getLastBlock: async () => ({ seqno: 9, now: 0 }),
    getJettonWallet: async master =>
      (await client.runMethod(9, master, 'get_wallet_address')).readAddress().toRawString(),
    async runMethod(_seqno, contract, method) {
      const stack = stacks[`${contract} ${method}`];
      if (!stack) throw new GetMethodFailed(method, 11);
      return new TupleReader([...stack]);
    },
  };
  const ton = client as TonClient;
  return {
    ton: () => ton,
    solana: () => {
      throw new Error('no Solana network');
    },
    exchange: noExchange,
    web,
  };
}

it.each([
  [contractSubject, { network: 'testnet', address: WALLET }],
  [jettonBalanceObservation.subject, { network: 'mainnet', owner: OWNER, wallet: WALLET }],
  [ownedJettonObservation.subject, { network: 'testnet', owner: OWNER, master: MASTER }],
  [tokenDocumentObservation.subject, 'https://a.example/x?y=z/ü'],
])('writes a subject that it reads back', (format, subject) => {
  const text = format.format(subject as never);
  expect(format.parse(text)).toEqual(subject);
  expect(() => format.parse(text.replace('ton:', 'sol:').replace('https', '%'))).toThrow();
});

describe('a jetton wallet', () => {
  const stacks = {
    [`${WALLET} get_wallet_data`]: [int(5n), address(OWNER), address(MASTER), code],
    [`${MASTER} get_wallet_address`]: [address(WALLET)],
  };
  const wallet = { network: 'mainnet', address: WALLET } as const;

  it('has its balance, owner and master', async () => {
    const clients = clientsOf(stacks);
    expect(await jettonWalletObservation.read(clients, wallet, signal)).toEqual({
      height: 9,
      data: { balance: '5', owner: OWNER, master: MASTER },
    });
    const subject = { network: 'mainnet', owner: OWNER, wallet: WALLET } as const;
    expect(await jettonBalanceObservation.read(clients, subject, signal)).toEqual({
      height: 9,
      data: { balance: '5', master: MASTER },
    });
  });

  it('is none when its master names another one, or when it is of another owner', async () => {
    const forged = clientsOf({ ...stacks, [`${MASTER} get_wallet_address`]: [address(STRANGER)] });
    expect((await jettonWalletObservation.read(forged, wallet, signal)).data).toBeNull();
    const others = { network: 'mainnet', owner: STRANGER, wallet: WALLET } as const;
    expect((await jettonBalanceObservation.read(clientsOf(stacks), others, signal)).data).toBeNull();
  });

  it('is none with a negative balance', async () => {
    const clients = clientsOf({
      ...stacks,
      [`${WALLET} get_wallet_data`]: [int(-5n), address(OWNER), address(MASTER), code],
    });
    expect((await jettonWalletObservation.read(clients, wallet, signal)).data).toBeNull();
  });
});

describe('the jetton wallet of an owner that a master gives', () => {
  const read = async (wallet: readonly TupleItem[] | null, given: TupleItem | null = address(WALLET)) => {
    const clients = clientsOf({
      ...(wallet && { [`${WALLET} get_wallet_data`]: wallet }),
      ...(given && { [`${MASTER} get_wallet_address`]: [given] }),
    });
    const subject = { network: 'mainnet', owner: OWNER, master: MASTER } as const;
    const { data } = await ownedJettonObservation.read(clients, subject, signal);
    expect((await unreadOwnedJetton.read(clients, subject, signal)).data).toBe(data);
    return data;
  };

  it('is theirs while it has jettons', async () => {
    expect(await read([int(5n), address(OWNER), address(MASTER), code])).toBe(WALLET);
  });

  it.each([
    ['is empty', () => read([int(0n), address(OWNER), address(MASTER), code])],
    ['is not deployed', () => read(null)],
    ['says that it is of another owner', () => read([int(5n), address(STRANGER), address(MASTER), code])],
    ['says that it is of another master', () => read([int(5n), address(OWNER), address(STRANGER), code])],
    ['is given by no master', () => read([int(5n), address(OWNER), address(MASTER), code], null)],
  ])('is none when it %s', async (_what, data) => {
    expect(await data()).toBeNull();
  });

  it('stays theirs when the jettons are gone', () => {
    const { merge } = ownedJettonObservation;
    expect(merge!({ height: 1, data: WALLET }, { height: 2, data: null })).toBe(WALLET);
  });
});

describe('a jetton master', () => {
  const read = async (stack: readonly TupleItem[]) => {
    const clients = clientsOf({ [`${MASTER} get_jetton_data`]: stack });
    return (await jettonMasterObservation.read(clients, { network: 'mainnet', address: MASTER }, signal))
      .data;
  };

  it('says what it is', async () => {
    expect(await read([int(7n), int(-1n), address(STRANGER), content, code])).toMatchObject({
      totalSupply: '7',
      mintable: true,
      admin: STRANGER,
      content: { kind: 'onchain', attributes: { symbol: 'S', decimals: 2 } },
    });
  });

  it.each([
    ['null', { type: 'null' } as const],
    ['an empty address', nobody],
    [
      'an external address',
      { type: 'slice', cell: beginCell().storeUint(1, 2).storeUint(8, 9).storeUint(7, 8).endCell() } as const,
    ],
  ])('may have no owner: %s', async (_what, admin) => {
    expect(await read([int(7n), int(0n), admin, content, code])).toMatchObject({
      admin: null,
      mintable: false,
    });
  });

  it.each([
    ['nothing', []],
    ['a negative supply', [int(-7n), int(0n), nobody, content, code]],
    ['a number for its content', [int(7n), int(0n), nobody, int(1n), code]],
  ])('is none with %s', async (_what, stack) => expect(await read(stack)).toBeNull());
});

describe('the document of a token', () => {
  const URI = 'https://a.example/token.json';
  const read = async (document: string | Buffer | null) =>
    (await tokenDocumentObservation.read(clientsOf({}, webOf({ [URI]: document })), URI, signal)).data;

  it('has the attributes that wallets show', async () => {
    const document = {
      name: 'N',
      symbol: 'S',
      decimals: '7',
      image: 'https://a.example/i',
      unknown: { deep: [] },
    };
    expect(await read(JSON.stringify(document))).toEqual({
      name: 'N',
      symbol: 'S',
      description: null,
      image: 'https://a.example/i',
      decimals: 7,
      customPayloadApiUri: null,
      mintlessMerkleDumpUri: null,
      traits: [],
      lottie: null,
    });
  });

  it('has the traits of an item, without those that are malformed', async () => {
    const attributes = [
      { trait_type: 'Hull', value: 'oak' },
      { trait_type: 'Sails', value: 3 },
      { trait_type: 'Crew' },
      { value: 'no type' },
      'no object',
      null,
    ];
    const lottie = 'https://a.example/lottie.json';
    expect(await read(JSON.stringify({ attributes, lottie }))).toMatchObject({
      traits: [
        { traitType: 'Hull', value: 'oak' },
        { traitType: 'Sails', value: '3' },
      ],
      lottie,
    });
    const many = Array.from({ length: 100 }, (_, i) => ({ trait_type: `t${i}`, value: 'v' }));
    expect((await read(JSON.stringify({ attributes: many })))!.traits).toHaveLength(64);
    expect((await read(JSON.stringify({ attributes: 'none' })))!.traits).toEqual([]);
  });

  it.each([
    ['of a server that is down', null],
    ['that is not JSON', '<html>'],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['that is not UTF-8', Buffer.from('7b226e616d65223a22ff227d', 'hex')],
    ['that begins with something else', '\u0001{"name":"N"}'],
    ['that is nested without end', '['.repeat(500_000)],
  ])('is nothing, and no failure, for one %s', async (_what, document) => {
    expect(await read(document)).toBeNull();
  });

  it.each([
    ['a long name', { name: 'x'.repeat(10_000) }, { name: 'x'.repeat(256) }],
    ['half a surrogate pair', { name: 'a\ud800' }, { name: 'a\ufffd' }],
    ['an override of its order', { name: 'a\u202eb', symbol: '\u2066S\u2069' }, { name: 'ab', symbol: 'S' }],
    ['several lines', { name: 'a\n\u2028b', description: 'a\nb' }, { name: 'a b', description: 'a\nb' }],
    ['what nobody sees', { name: '\u200b', symbol: '\u2060 \u3164' }, { name: null, symbol: null }],
    ['control characters', { symbol: 'US\u0000D\u001b' }, { symbol: 'USD' }],
    ['objects for text', { name: { toString: 'x' }, symbol: ['S'] }, { name: null, symbol: null }],
    ['a URL that is too long', { image: `https://${'a'.repeat(5_000)}` }, { image: null }],
    ['decimals beyond TEP-64', { decimals: 1e9 }, { decimals: null }],
    ['a fraction of decimals', { decimals: 1.5 }, { decimals: null }],
    ['a prototype', JSON.parse('{"__proto__":{"name":"x"}}'), { name: null }],
  ])('has %s in bounds', async (_what, document, expected) => {
    expect(await read(JSON.stringify(document))).toMatchObject(expected);
  });

  it('is read from a gateway when it is on IPFS', async () => {
    const web = webOf({ 'https://ipfs.io/ipfs/bafy/token.json': '{"name":"I"}' });
    const { data } = await tokenDocumentObservation.read(
      clientsOf({}, web),
      'ipfs://bafy/token.json',
      signal,
    );
    expect(data).toMatchObject({ name: 'I' });
  });

  it('keeps what was read when the server is down later', () => {
    const read = { height: null, data: { name: 'N' } as never };
    const failed = { height: null, data: null };
    expect(tokenDocumentObservation.merge!(read, failed)).toBe(read.data);
    expect(tokenDocumentObservation.merge!(failed, read)).toBe(read.data);
  });
});

it('extra currencies of an account are those of which there is something', async () => {
  const account = { currencies: { '100': '5', '239': '0' }, lastTransaction: { lt: '77', hash: '' } };
  const client = {
    getLastBlock: async () => ({ seqno: 9, now: 0 }),
    getAccount: async () => account,
  } as unknown as TonClient;
  const clients = { ...clientsOf({}), ton: () => client };
  const subject = { network: 'testnet', address: OWNER } as const;
  expect(await extraCurrenciesObservation.read(clients, subject, signal)).toEqual({
    height: 9,
    data: { lt: '77', amounts: { '100': '5' } },
  });
});
