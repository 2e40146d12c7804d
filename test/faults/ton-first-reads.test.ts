import { comment, internal, toNano, type Address } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import request from 'supertest';
import {
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
  type JettonMaster,
} from '../../infra/devnet/ton/jetton/jetton';
import { nftCollection, nftItemAddress, nftMintBody, nftTransferBody } from '../../infra/devnet/ton/nft/nft';
import { transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { until } from '../until';
import type { LocalNetwork } from '../ton/network';
import { addressOf, rawOf, startTestnet } from '../ton/testnet';

/**
 * What the first read of an account gets from nodes that are as far away as public ones: all that it asks for, compared with the
 * node's own history, or a 503.
 */
describe.each([100, 250])('with nodes that take %d ms a call', latencyMs => {
  const SENT = 26;
  const MINTED = 3;

  let network: LocalNetwork;
  let client: TonClient4;
  let alice: LocalWallet;
  let bob: LocalWallet;
  let jetton: JettonMaster;

  beforeAll(async () => {
    // Short, so that most reads end before the history is read.
    ({ network, client, alice, bob } = await startTestnet({ watched: false, latencyMs, listWaitMs: 150 }));
    jetton = jettonMaster(alice.contract.address, {
      name: 'Rope',
      symbol: 'ROPE',
      decimals: 9,
      description: '',
      image: 'https://rope.example/rope.png',
    });
    const harbour = nftCollection(alice.contract.address, {
      name: 'Harbour',
      description: '',
      image: 'https://harbour.example/harbour.png',
    });
    const value = toNano('0.2');
    await transfer(client, alice, [
      internal({
        to: jetton.address,
        value,
        init: jetton.init,
        body: mintBody({ to: alice.contract.address, amount: 1_000n, value: toNano('0.1') }),
      }),
    ]);
    for (let index = 0; index < MINTED; index++)
      await transfer(client, alice, [
        internal({
          to: harbour.address,
          value,
          init: harbour.init,
          body: nftMintBody({
            index,
            to: alice.contract.address,
            metadata: { name: `Ship ${index}`, description: '', image: 'https://ships.example/ship.png' },
            value: toNano('0.1'),
          }),
        }),
      ]);
    await transfer(
      client,
      alice,
      Array.from({ length: MINTED }, (_, index) =>
        internal({
          to: nftItemAddress(harbour.address, index),
          value: toNano('0.1'),
          body: nftTransferBody({
            to: bob.contract.address,
            response: alice.contract.address,
            forwardValue: 1n,
          }),
        }),
      ),
    );
    for (let n = 0; n < SENT; n++) {
      const isJetton = n === 5 || n === SENT - 1;
      const body = isJetton
        ? jettonTransferBody({
            to: bob.contract.address,
            amount: BigInt(n),
            response: alice.contract.address,
            forwardValue: 1n,
          })
        : comment(`to bob ${n}`);
      const to = isJetton
        ? jettonWalletAddress(jetton.address, alice.contract.address)
        : bob.contract.address;
      await transfer(client, alice, [internal({ to, value: toNano('0.1'), bounce: false, body })]);
    }
  });
  afterAll(() => network?.close());

  /** Every transaction of an account as the node has it, newest first. */
  async function truth(address: Address): Promise<string[]> {
    const { last } = await client.getLastBlock();
    const { account } = await client.getAccountLite(last.seqno, address);
    const lts: string[] = [];
    for (let next = account.last; next && next.lt !== '0';) {
      const page = await client.getAccountTransactions(
        address,
        BigInt(next.lt),
        Buffer.from(next.hash, 'base64'),
      );
      lts.push(...page.map(({ tx }) => String(tx.lt)));
      const { prevTransactionLt, prevTransactionHash } = page.at(-1)!.tx;
      const hash = Buffer.from(prevTransactionHash.toString(16).padStart(64, '0'), 'hex').toString('base64');
      next = { lt: String(prevTransactionLt), hash };
    }
    return lts;
  }

  /** The first answer that is not a 503, which any other has to be. */
  async function first<Body>(ask: () => request.Test): Promise<Body> {
    const { status, body } = await until(
      async () => {
        const answer = await ask();
        if (answer.status === 503) {
          expect(answer.body).toMatchObject({ code: 'not_ready' });
          expect(answer.headers['retry-after']).toBe('2');
        }
        return answer;
      },
      answer => answer.status !== 503,
    );
    expect({ status, body }).toMatchObject({ status: 200 });
    return body as Body;
  }
  const get = <Body>(path: string) => first<Body>(() => request(network.app).get(path));
  const post = <Body>(path: string, sent: object) =>
    first<Body>(() => request(network.app).post(path).send(sent));

  type Row = { data: { lt: string; parsed: { status: string } } };

  it('has each page of all histories whole, and whatever became of its transactions', async () => {
    const account = { tonAddress: addressOf(alice), solanaAddress: '' };
    const [v3, v2, v1, jettons, names] = await Promise.all([
      post<{ data: Row[] }>('/transactions/v3', { account, network: 'testnet', cursor: {}, limit: 32 }),
      post<{ data: Row[] }>(`/transactions/v2/${addressOf(alice)}`, { cursor: {} }),
      post<{ transactions: { lt: string }[] }>(`/transactions/${addressOf(bob)}`, { limit: 100 }),
      post<object[]>('/jettons/wallet/transactions', {
        address: addressOf(alice),
        master: jetton.address.toString({ testOnly: true }),
        isTestnet: true,
        limit: 10,
      }),
      get<{ hints: { jetton: { symbol: string } }[] }>(`/hints/full/${addressOf(alice)}?isTestnet=true`),
    ]);
    const all = await truth(alice.contract.address);
    expect(all.length).toBeGreaterThan(32);
    expect(v3.data.map(({ data }) => data.lt)).toEqual(all.slice(0, 32));
    expect(v2.data.map(({ data }) => data.lt)).toEqual(all.slice(0, 16));
    expect(v1.transactions.map(({ lt }) => lt)).toEqual(await truth(bob.contract.address));
    expect(jettons).toHaveLength(2);
    expect(names.hints.map(({ jetton: { symbol } }) => symbol)).toEqual(['ROPE']);
  });

  it('has all NFT items of an owner, and nothing of who has none', async () => {
    const { data } = await get<{ data: { items: { name: string }[] } }>(
      `/nfts/${addressOf(bob)}?isTestnet=true`,
    );
    expect(data.items.map(({ name }) => name).sort()).toEqual(['Ship 0', 'Ship 1', 'Ship 2']);
    const nobody = `0:${'ab'.repeat(32)}`;
    const [history, nfts] = await Promise.all([
      get<{ transactions: object[] }>(`/transactions/${nobody}?network=testnet`),
      get<{ data: { items: object[] } }>(`/nfts/${nobody}?isTestnet=true`),
    ]);
    expect(history.transactions).toEqual([]);
    expect(nfts.data.items).toEqual([]);
    expect(rawOf(alice)).not.toBe(nobody);
  });

  it('pages to the end without an end before it', async () => {
    const all = await truth(alice.contract.address);
    const found: string[] = [];
    for (let cursor: object = {}; ;) {
      const { data } = await post<{ data: Row[] }>(`/transactions/v2/${addressOf(alice)}`, { cursor });
      const lts = data.map(({ data }) => data.lt);
      found.push(...(found.length === 0 ? lts : lts.slice(1)));
      if (data.length < 14) break;
      cursor = { ton: { lt: found.at(-1) } };
    }
    expect(found).toEqual(all);
  });

  it('is a 503 of an account that nobody has read while no node answers', async () => {
    await network.disconnect();
    const unknown = `0:${'cd'.repeat(32)}`;
    const paths = [
      `/transactions/${unknown}?network=testnet`,
      `/transactions/v2/${unknown}?network=testnet`,
      `/actions/${unknown}?network=testnet`,
      `/nfts/${unknown}?isTestnet=true`,
      `/hints/${unknown}?isTestnet=true`,
    ];
    const answers = await Promise.all(paths.map(path => request(network.app).get(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 503));
    await request(network.app)
      .get(`/transactions/${addressOf(alice)}`)
      .expect(200);
  });
});
