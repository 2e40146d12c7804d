import {
  Address,
  beginCell,
  contractAddress,
  convertToMerkleProof,
  Dictionary,
  storeStateInit,
  TupleReader,
} from '@ton/core';
import type { TupleItem, Cell } from '@ton/core';
import type { PublicWeb } from '../../../contracts/ports/public-web';
import { GetMethodFailed, type TonClient } from '../../../contracts/ports/ton-client';
import { observe } from '../../../test/contracts/observation';
import { accountAt } from '../../../test/ton/scripted-chain';
import { HttpError } from '../../http-response';
import { customPayloadObservation } from './custom-payload';

const [OWNER, MASTER, OTHER] = [1, 2, 3].map(accountAt) as [string, string, string];
const URI = 'https://tokens.example/jetton';
const subject = { network: 'mainnet', owner: OWNER, master: MASTER, uri: URI } as const;

const code = beginCell().storeUint(7, 32).endCell();
const init = { code, data: beginCell().storeAddress(Address.parseRaw(OWNER)).endCell() };
const WALLET = contractAddress(0, init).toRawString();
const text = (cell: Cell): string => cell.toBoc().toString('base64');
const stateInit = text(beginCell().store(storeStateInit(init)).endCell());

/** The airdrop of TEP-177: the n-th account may claim n thousand. */
const airdrop = Dictionary.empty(Dictionary.Keys.Address(), {
  serialize: (amount: bigint, builder) =>
    builder.storeCoins(amount).storeUint(1_000, 48).storeUint(2_000, 48),
  parse: slice => slice.loadCoins(),
});
for (let n = 1; n <= 50; n++) airdrop.set(Address.parseRaw(accountAt(n)), BigInt(n) * 1_000n);
const root = BigInt(`0x${beginCell().storeDictDirect(airdrop).endCell().hash().toString('hex')}`);
const claimOf = (owner: string, op = 0x0df602d6): string =>
  text(
    beginCell()
      .storeUint(op, 32)
      .storeRef(airdrop.generateMerkleProof([Address.parseRaw(owner)]))
      .endCell(),
  );

const address = (raw: string): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(Address.parseRaw(raw)).endCell(),
});
const int = (value: bigint): TupleItem => ({ type: 'int', value });

interface Setting {
  /** Stacks of get methods. */
  readonly stacks?: Readonly<Record<string, readonly TupleItem[]>>;
  /** What the server answers; an Error is thrown. */
  readonly answer?: unknown;
  /** Of the owner, as the master says. */
  readonly wallet?: string;
}

const notDeployed = { [`${MASTER} get_mintless_airdrop_hashmap_root`]: [int(root)] };

/** Doubles of a network, and of the server of the jetton. */
async function read({ stacks = notDeployed, answer = {}, wallet = WALLET }: Setting) {
  const ton: Partial<TonClient> = {
    getLastBlock: async () => ({ seqno: 9, now: 0 }),
    getJettonWallet: async () => wallet,
    async runMethod(_seqno, contract, method) {
      const stack = stacks[`${contract} ${method}`];
      if (!stack) throw new GetMethodFailed(method, 11);
      return new TupleReader([...stack]);
    },
  };
  const web: Pick<PublicWeb, 'get'> = {
    async get(url) {
      expect(url).toBe(`${URI}/wallet/${OWNER}`);
      if (answer instanceof Error) throw answer;
      return Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
    },
  };
  return (await observe(customPayloadObservation, subject, { ton, web })).data;
}

it('writes a subject that it reads back', () => {
  const { format, parse } = customPayloadObservation.subject;
  expect(parse(format(subject))).toEqual(subject);
  expect(() => parse(`ton:mainnet:${OWNER}`)).toThrow();
});

it('has what the proof says that the owner can claim, whatever the server says', async () => {
  const custom_payload = claimOf(OWNER);
  const compressed_info = { amount: '999999999', start_from: '0', expired_at: '9' };
  expect(await read({ answer: { custom_payload, state_init: stateInit, compressed_info } })).toEqual({
    wallet: WALLET,
    balance: '0',
    customPayload: custom_payload,
    stateInit,
    claim: { amount: '1000', startFrom: 1_000, expiresAt: 2_000 },
  });
});

it('has the balance of a wallet that has received jettons and not claimed', async () => {
  const stacks = {
    ...notDeployed,
    [`${WALLET} get_wallet_data`]: [int(5n), address(OWNER), address(MASTER)],
    [`${WALLET} is_claimed`]: [int(0n)],
  };
  expect(await read({ stacks, answer: { custom_payload: claimOf(OWNER) } })).toMatchObject({
    balance: '5',
    claim: { amount: '1000' },
  });
});

it('offers nothing once it was claimed, though the server still does', async () => {
  const stacks = { ...notDeployed, [`${WALLET} is_claimed`]: [int(-1n)] };
  expect(await read({ stacks, answer: { custom_payload: claimOf(OWNER) } })).toMatchObject({
    customPayload: null,
    claim: null,
  });
});

it('offers nothing to an owner whom the server does not know', async () => {
  expect(await read({ answer: new HttpError(404) })).toMatchObject({ customPayload: null, claim: null });
});

it('passes on a payload that mints nothing', async () => {
  const custom_payload = text(beginCell().storeUint(1, 32).endCell());
  expect(await read({ answer: { custom_payload } })).toMatchObject({
    customPayload: custom_payload,
    claim: null,
  });
});

it('knows the state of a wallet whose first bits are those of its owner', async () => {
  const cell = beginCell()
    .store(storeStateInit({ ...init, splitDepth: 8 }))
    .endCell();
  const ending = cell.hash().toString('hex').slice(2);
  const answer = { state_init: text(cell) };
  expect(await read({ answer, wallet: `0:77${ending}` })).toMatchObject({ stateInit: answer.state_init });
  expect(
    await read({ answer, wallet: `0:77${ending.replace(/^./, first => (first === '0' ? '1' : '0'))}` }),
  ).toBeNull();
});

const notMintless = {};
const otherState = beginCell()
  .store(storeStateInit({ code, data: code }))
  .endCell();
/** 2^40 entries in a few cells. */
let endless = beginCell().storeUint(0, 2).endCell();
for (let depth = 0; depth < 40; depth++)
  endless = beginCell().storeUint(0, 2).storeRef(endless).storeRef(endless).endCell();
const endlessProof = beginCell().storeUint(0x0df602d6, 32).storeRef(convertToMerkleProof(endless)).endCell();
const withoutProof = beginCell().storeUint(0x0df602d6, 32).storeRef(code).endCell();

it.each<{ what: string; answer: unknown; stacks?: NonNullable<Setting['stacks']> }>([
  { what: 'is down', answer: new Error('no answer') },
  { what: 'answers no JSON', answer: '<html>' },
  { what: 'answers a list', answer: [] },
  { what: 'answers a payload that is no cell', answer: { custom_payload: 'aGVsbG8=' } },
  { what: 'answers a payload that is not base64', answer: { custom_payload: '!' } },
  { what: 'answers a payload that is too large', answer: { custom_payload: 'A'.repeat(20_000) } },
  { what: 'answers the state of another contract', answer: { state_init: text(otherState) } },
  { what: 'answers the claim of another owner', answer: { custom_payload: claimOf(OTHER) } },
  {
    what: 'answers a claim of another airdrop',
    answer: { custom_payload: claimOf(OWNER) },
    stacks: { [`${MASTER} get_mintless_airdrop_hashmap_root`]: [int(1n)] },
  },
  {
    what: 'answers a claim on a jetton that is not mintless',
    answer: { custom_payload: claimOf(OWNER) },
    stacks: notMintless,
  },
  {
    what: 'answers a proof without end',
    answer: { custom_payload: text(endlessProof) },
    stacks: {
      [`${MASTER} get_mintless_airdrop_hashmap_root`]: [int(BigInt(`0x${endless.hash().toString('hex')}`))],
    },
  },
  { what: 'answers a claim without a proof', answer: { custom_payload: text(withoutProof) } },
])('believes nothing of a server that $what', async ({ answer, stacks = notDeployed }) => {
  expect(await read({ answer, stacks })).toBeNull();
});

it('keeps what was read when the server fails later', () => {
  const known = {
    height: 1,
    data: { wallet: WALLET, balance: '1', customPayload: null, stateInit: null, claim: null },
  };
  expect(customPayloadObservation.merge!(known, { height: 2, data: null })).toBe(known.data);
});
