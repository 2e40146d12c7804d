import { Address, beginCell, Cell, contractAddress, toNano, TupleReader } from '@ton/core';
import { Blockchain, internal } from '@ton/sandbox';
import { GetMethodFailed, type TonClient } from '../../contracts/ports/ton-client';
import { createJettonWalletVerifier } from '../../indexers/ton/jetton-wallets';
import { jettonMaster, jettonWalletAddress, mintBody } from '../../infra/devnet/ton/jetton/jetton';

let chain: Blockchain;
let owner: Address;
let master: Address;
let wallet: Address;

const mintTo = async (to: Address): Promise<void> => {
  const admin = await chain.treasury('admin');
  const metadata = { name: 'J', symbol: 'J', decimals: 9, description: '', image: '' };
  const jetton = jettonMaster(admin.address, metadata);
  master = jetton.address;
  const body = mintBody({ to, amount: 5n, value: toNano('0.1') });
  const mint = { from: admin.address, to: master, value: toNano(1), body, stateInit: jetton.init };
  await chain.sendMessage(internal(mint));
};

beforeAll(async () => {
  chain = await Blockchain.create({ config: 'slim' });
  owner = (await chain.treasury('owner')).address;
  await mintTo(owner);
  wallet = jettonWalletAddress(master, owner);
});

/** The get methods of the TVM, as a source that can be down, with the calls that reached it. */
function source() {
  const state = { down: false, calls: [] as string[] };
  const client: Pick<TonClient, 'getLastBlock' | 'runMethod'> = {
    getLastBlock: async () => ({ seqno: 99, now: 0 }),
    async runMethod(seqno, address, method, args = []) {
      state.calls.push(`${method} at ${seqno}`);
      if (state.down) throw new Error('unreachable');
      const contract = Address.parseRaw(address);
      if ((await chain.getContract(contract)).accountState?.type !== 'active')
        throw new GetMethodFailed(method, -256);
      try {
        const { stackReader, exitCode } = await chain.runGetMethod(contract, method, [...args]);
        if (exitCode !== 0) throw new GetMethodFailed(method, exitCode);
        return stackReader;
      } catch (error) {
        throw new GetMethodFailed(method, (error as { exitCode?: number }).exitCode ?? 11);
      }
    },
  };
  return { state, client, verify: createJettonWalletVerifier(client) };
}

it('confirms a wallet by its master, and asks once for all blocks', async () => {
  const { state, verify } = source();
  const address = wallet.toRawString();
  const expected = { [address]: { master: master.toRawString(), owner: owner.toRawString() } };
  const answers = await Promise.all([verify([address], 7), verify([address], 7), verify([address], 7)]);
  expect(answers).toEqual([expected, expected, expected]);
  expect(await verify([address], 8)).toEqual(expected);
  expect(state.calls).toEqual(['get_wallet_data at 7', 'get_wallet_address at 7']);
});

it('asks as of the newest block when there is none', async () => {
  const { state, verify } = source();
  await verify([wallet.toRawString()], null);
  expect(state.calls).toEqual(['get_wallet_data at 99', 'get_wallet_address at 99']);
});

it('does not confirm other contracts, and remembers them', async () => {
  const { state, verify } = source();
  const others = [owner.toRawString(), master.toRawString()];
  for (const seqno of [7, 8])
    expect(await verify(others, seqno)).toEqual({ [others[0]!]: null, [others[1]!]: null });
  expect(state.calls).toEqual(['get_wallet_data at 7', 'get_wallet_data at 7']);
});

it('confirms a wallet in the block in which it is deployed, though it was asked for before', async () => {
  const { verify } = source();
  const later = (await chain.treasury('later')).address;
  const address = jettonWalletAddress(master, later).toRawString();
  expect(await verify([address], 7)).toEqual({ [address]: null });
  await mintTo(later);
  expect(await verify([address], 8)).toEqual({
    [address]: { master: master.toRawString(), owner: later.toRawString() },
  });
});

it('fails while the source is down, and answers afterwards', async () => {
  const { state, verify } = source();
  state.down = true;
  await expect(verify([wallet.toRawString()], 7)).rejects.toThrow('unreachable');
  state.down = false;
  expect(await verify([wallet.toRawString()], 7)).toMatchObject({ [wallet.toRawString()]: {} });
});

it('does not wait for a contract whose answer the source cannot send', async () => {
  const { client } = source();
  const hostile = contractAddress(0, { code: Cell.EMPTY, data: Cell.EMPTY }).toRawString();
  const verify = createJettonWalletVerifier({
    ...client,
    runMethod: async (seqno, address, ...rest) => {
      if (address === hostile) throw new Error('HTTP 500');
      return client.runMethod(seqno, address, ...rest);
    },
  });
  expect(await verify([hostile], 7)).toEqual({ [hostile]: null });
});

it.each([
  ['nothing', []],
  ['a number for an address', [0n, 1n, 2n].map(value => ({ type: 'int', value }) as const)],
  [
    'an empty address',
    [
      { type: 'int', value: 0n } as const,
      { type: 'slice', cell: beginCell().storeUint(0, 2).endCell() } as const,
    ],
  ],
])('does not confirm a contract that answers with %s', async (_what, stack) => {
  const verify = createJettonWalletVerifier({
    getLastBlock: async () => ({ seqno: 1, now: 0 }),
    runMethod: async () => new TupleReader([...stack]),
  });
  const address = wallet.toRawString();
  expect(await verify([address], 1)).toEqual({ [address]: null });
});
