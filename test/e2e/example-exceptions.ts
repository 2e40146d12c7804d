import { randomBytes } from 'node:crypto';
import { Address, beginCell, external, internal, SendMode, storeMessage } from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton';
import { keyPairFromSeed } from '@ton/crypto';
import { TonClient4, WalletContractV4 } from '@ton/ton';
import { GaslessClient } from '../outside-client/ton/gasless-client';
import { LOCAL } from '../../contracts/http/local-accounts';
import { reviewText } from '../../services/apps/review/submit';
import type { LocalWallet } from '../../infra/devnet/ton/wallets';
import { createActors } from '../../infra/devnet/ton/traffic/actors';
import { initOfV4, tonElement } from '../card/prove';
import { keysOf, readRequest, writeRequest } from '../storage/device';
import { until } from '../until';
import { sign, unixNow } from '../wallet-requests/wallet';

/** What was answered so far, by operation and name of the example. */
type Answered = ReadonlyMap<string, unknown>;
type Body = Readonly<Record<string, unknown>>;

interface Values {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
interface Exception {
  readonly reason: string;
  /** The values to call it with instead, from its example; without it the operation is not called. */
  readonly instead?: (answered: Answered, example: Body, url: string) => Values | Promise<Values>;
}

const actors = createActors('mainnet');
const carol = actors.find(({ name }) => name === 'carol')!;
const alice = actors.find(({ name }) => name === 'alice')!;
const bob = actors.find(({ name }) => name === 'bob')!;
const storageKeys = keysOf('response examples');

const SIGNED_NOW = 'a signature is good for minutes';
const CODE_OF_NOW = 'a code is that of one call';
const OF_THE_CHAIN = 'what it names is made by the chain';

interface Last {
  readonly account: { readonly last: { readonly lt: string; readonly hash: string } };
}

/** The last transaction of Alice. */
async function lastTransaction(url: string): Promise<{ address: string; lt: string; hash: string }> {
  const rpc = `${url}/rpc/mainnet/block`;
  const { last } = (await (await fetch(`${rpc}/latest`)).json()) as { last: { seqno: number } };
  const { account } = (await (await fetch(`${rpc}/${last.seqno}/${LOCAL.alice}/lite`)).json()) as Last;
  return { address: LOCAL.alice, ...account.last };
}

const historyOf = (answered: Answered) =>
  (answered.get('getTransactions 1') as { transactions: { lt: string; hash: string }[] }).transactions;
const signatureOf = (answered: Answered): string =>
  (answered.get('solanaTransactions 1') as { signature: string }[])[0]!.signature;

/** The wallet may not be deployed so far. */
const withKeyOf = ({ keys }: LocalWallet, body: Body): Body => ({
  ...body,
  publicKey: keys.publicKey.toString('hex'),
});

/** The example with the code that was asked for. */
function withCode(asked: string): NonNullable<Exception['instead']> {
  return (answered, example) => {
    const { sandbox } = answered.get(asked) as { sandbox: { code: string } };
    return { body: { ...example, code: sandbox.code } };
  };
}

/** The examples that cannot be answered as they are, by operation and name. */
export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'getRpcAccountTransactionsParsed 1': { reason: 'local networks do not offer it, as its summary says' },
  'getStakingPoolApy 1': { reason: 'the first round of a new network ends a day later' },
  'getTokensImage 1': { reason: 'no token of the local networks contains its image' },
  'instanceAdmin list_audit_trail': {
    reason: 'the trail begins today',
    instead: (_answered, example) => {
      const today = new Date().toISOString().slice(0, 10);
      return { body: { ...example, dateFrom: today, dateTo: today } };
    },
  },
  'getRpcAccountTransactions 1': {
    reason: OF_THE_CHAIN,
    instead: async (_answered, _example, url) => ({ params: await lastTransaction(url) }),
  },
  'getRpcBlockAtTime 1': {
    reason: OF_THE_CHAIN,
    instead: () => ({ params: { utime: String(unixNow() - 10) } }),
  },
  'getNetElection 1': {
    reason: OF_THE_CHAIN,
    instead: answered => {
      const { elections } = answered.get('getNetElectionsLatest 1') as { elections: number[] };
      return { params: { id: String(elections.at(-1)) } };
    },
  },
  'getUsdeApy 1': {
    reason: 'a yield follows from two prices that are a day apart',
    instead: async (_answered, _example, url) => {
      await passDay(url);
      return { params: { network: 'testnet' } };
    },
  },
  'tonTransactionsStatus 1': {
    reason: OF_THE_CHAIN,
    instead: answered => ({ body: { txHash: historyOf(answered)[0]!.hash } }),
  },
  'solanaTransactionStatus 1': {
    reason: OF_THE_CHAIN,
    instead: answered => ({ body: { signature: signatureOf(answered) } }),
  },
  'solanaTransactions 2': {
    reason: OF_THE_CHAIN,
    instead: (answered, { until: _, mint: _mint, ...example }) => ({
      body: { ...example, before: signatureOf(answered) },
    }),
  },
  'queryTransactionsV3 2': {
    reason: OF_THE_CHAIN,
    instead: (answered, example) => ({
      body: {
        ...example,
        cursor: { ton: historyOf(answered)[0], solana: { before: signatureOf(answered) } },
      },
    }),
  },
  'submitAppReview 2': {
    reason: SIGNED_NOW,
    instead: (_answered, example) => {
      const { url, input } = example as {
        url: string;
        input: { address: string; rating: number; comment: null };
      };
      const timestamp = unixNow();
      const signature = sign(alice, reviewText(url, input)(timestamp));
      return { body: { ...example, input: { ...input, timestamp, signature } } };
    },
  },
  'storageRead 1': { reason: SIGNED_NOW, instead: () => ({ body: readRequest(storageKeys) }) },
  'storageWrite 1': {
    reason: SIGNED_NOW,
    instead: (_answered, { value }) => ({
      body: writeRequest(storageKeys, 0, Buffer.from(String(value), 'base64')),
    }),
  },
  'walletRequestCreate 1': {
    reason: SIGNED_NOW,
    instead: (_answered, example) => {
      const { requestor, confirmant } = example;
      const timestamp = unixNow();
      const text = ['WALLET_REQUEST_CREATE', requestor, confirmant, '', 300, timestamp, ''];
      const signed = { ...example, timestamp, signature: sign(alice, text.join('|')) };
      return { body: withKeyOf(alice, signed) };
    },
  },
  'walletRequestRespond 1': {
    reason: SIGNED_NOW,
    instead: (answered, example) => {
      const { requestId } = answered.get('walletRequestCreate 1') as { requestId: string };
      const { walletAddress, status, response = '' } = example;
      const timestamp = unixNow();
      const text = ['WALLET_REQUEST_RESPOND', requestId, walletAddress, status, response, timestamp];
      const signed = { ...example, requestId, timestamp, signature: sign(bob, text.join('|')) };
      return { body: withKeyOf(bob, signed) };
    },
  },
  'gaslessSend 1': { reason: SIGNED_NOW, instead: (_answered, _example, url) => gaslessSendOfCarol(url) },
  'tonapiGaslessSend 1': {
    reason: SIGNED_NOW,
    instead: (_answered, _example, url) => gaslessSendOfCarol(url),
  },
  'connectCardWallet 1': {
    reason: SIGNED_NOW,
    instead: (_answered, _example, url) => {
      const keys = keyPairFromSeed(Buffer.alloc(32, 9));
      const proof = { keys, init: initOfV4(keys), domain: new URL(url).host, timestamp: unixNow() };
      return { body: tonElement(proof) };
    },
  },
  'confirmCardPhone 1': { reason: CODE_OF_NOW, instead: withCode('startCardPhone 1') },
  'confirmCardEmail 1': { reason: CODE_OF_NOW, instead: withCode('startCardEmail 1') },
  'receiveCardIssuerWebhook 1': { reason: 'it is signed with a secret that nobody else has' },
  'listPublicCardAccounts 1': { reason: 'it says no more than a chain does, which is nothing' },
  'confirmCardOtpRequest 1': { reason: 'nothing waits for an answer but what is bought just now' },
  'watchCardUpdates 1': { reason: 'its first message is a token, not a ping' },
  'sendRpcMessage 1': {
    reason: SIGNED_NOW,
    instead: async (_answered, _example, url) => ({ body: { boc: await messageOfNewWallet(url) } }),
  },
};

const PRICE_IS_STALE_AFTER_MS = 20_000;
let passedAt = 0;

/** Moves the clock of the testnet, of which no other example reads anything, once for each price that is read. */
async function passDay(url: string): Promise<void> {
  if (Date.now() - passedAt < PRICE_IS_STALE_AFTER_MS) return;
  passedAt = Date.now();
  await fetch(`${url}/devnet/ton/advance`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ network: 'testnet', seconds: 86_400 }),
  });
}

/** The first transfer of a new wallet, to itself: the local traffic uses those of the actors at the same time. */
async function messageOfNewWallet(url: string): Promise<string> {
  const client = new TonClient4({ endpoint: `${url}/rpc/mainnet`, timeout: 60_000 });
  const { publicKey, secretKey } = keyPairFromSeed(randomBytes(32));
  const { address, init } = WalletContractV4.create({ workchain: 0, publicKey });
  await fundWallet(url, address);
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  await until(
    () => wallet.getBalance(),
    balance => balance > 0n,
  );
  const body = wallet.createTransfer({
    seqno: 0,
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: address, value: 10_000_000n, bounce: false })],
  });
  const message = storeMessage(external({ to: address, init, body }));
  return beginCell().store(message).endCell().toBoc().toString('base64');
}

async function fundWallet(url: string, to: Address): Promise<void> {
  const { ton } = (await (await fetch(`${url}/devnet`)).json()) as {
    ton: { network: string; faucet: string }[];
  };
  await fetch(ton.find(({ network }) => network === 'mainnet')!.faucet, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ address: to.toRawString(), amount: '1000000000' }),
  });
}

/** A transfer of Carol's to Bob; without one while the relayer gives no quote. */
async function gaslessSendOfCarol(url: string): Promise<Values> {
  const client = new TonClient4({ endpoint: `${url}/rpc/mainnet`, timeout: 60_000 });
  const relayer = new GaslessClient(url, 'mainnet');
  const wallet = { contract: carol.contract as WalletContractV5R1, keys: carol.keys };
  const jetton = Address.parse(LOCAL.dollar);
  const owner = client.open(wallet.contract);
  const { last } = await client.getLastBlock();
  const argument = { type: 'slice', cell: beginCell().storeAddress(owner.address).endCell() } as const;
  const { reader } = await client.runMethod(last.seqno, jetton, 'get_wallet_address', [argument]);
  const quote = await relayer.estimate(wallet, jetton, {
    jettonWallet: reader.readAddress(),
    to: bob.contract.address,
    amount: 10_000n,
  });
  if (!quote.ok) return {};
  return { body: relayer.request(wallet, quote.messages, await owner.getSeqno()) };
}
