import {
  beginCell,
  Cell,
  comment,
  contractAddress,
  internal,
  storeMessageRelaxed,
  toNano,
  type Address,
} from '@ton/core';
import { jettonMaster, jettonWalletAddress, mintBody } from '../../infra/devnet/ton/jetton/jetton';
import {
  liquidCollectBody,
  liquidDepositBody,
  liquidWithdrawBody,
} from '../../infra/devnet/ton/staking/liquid/liquid';
import { depositBody, withdrawBody } from '../../infra/devnet/ton/staking/staking';
import { createActors } from '../../infra/devnet/ton/traffic/actors';
import { USDE_VALUE, claimBody, stakeBody, unstakeBody } from '../../infra/devnet/ton/usde/usde';
import type { LocalNetwork } from '../ton/network';
import { friendly } from '../ton/testnet';
import { FEES, STAKED, TON, VAULT, jetton, keys, startStaker, type Staker } from './staker';

let staker: Staker;
let network: LocalNetwork;
let owner: Address;
const act: Staker['act'] = (...messages) => staker.act(...messages);
const send: Staker['send'] = (...message) => staker.send(...message);
const asSeenBy: Staker['asSeenBy'] = account => staker.asSeenBy(account);

beforeAll(async () => {
  staker = await startStaker();
  ({ network, owner } = staker);
});
afterAll(() => network.close());

/** A contract of this code, deployed or not. */
const contractOf = (code: Cell): { address: Address; init: { code: Cell; data: Cell } } => {
  const init = { code, data: Cell.EMPTY };
  return { address: contractAddress(0, init), init };
};

describe('what a stranger sends', () => {
  const head = (op: number) => beginCell().storeUint(op, 32).storeUint(1, 64);
  const bodies: [string, () => Cell][] = [
    ['a deposit', depositBody],
    ['a withdrawal', () => withdrawBody(toNano(1))],
    ['a deposit in a liquid pool', () => liquidDepositBody({ amount: toNano(100), response: owner })],
    ['a withdrawal from a liquid pool', () => liquidWithdrawBody({ jettons: toNano(1), response: owner })],
    ['a collection', () => liquidCollectBody({ response: owner })],
    ['a stake of USDe', () => stakeBody({ to: VAULT, amount: 5_000_000n, response: owner })],
    ['unstaking', () => unstakeBody({ to: STAKED, amount: 5_000_000n, response: owner })],
    ['a claim', () => claimBody({ to: STAKED, amount: 5_000_000n, response: owner })],
    ['a lock', () => head(0xb2583ed5).storeCoins(5_000_000n).storeUint(1, 32).endCell()],
    ['a receipt', () => head(0xc641e932).endCell()],
    ['a payment', () => head(0x23d421e1).endCell()],
    [
      'a withdrawal that is owed',
      () => head(0x2334e467).storeUint(1, 32).storeCoins(5n).storeAddress(null).endCell(),
    ],
  ];

  it.each(bodies)('to what is no contract of staking is a call, on both sides: %s', async (_, body) => {
    const bob = createActors('testnet')[2]!.contract.address;
    await network.watch(bob.toRawString());
    const { action, row } = await send(bob, toNano(1), body(), false);
    const expected = { kind: 'call_contract', status: 'success', asset: TON, amount: String(toNano(1)) };
    expect(action).toMatchObject(expected);
    expect(action.owed).toBeUndefined();
    expect(row.operation.op).toBeUndefined();
    expect(row.operation.items).toHaveLength(1);
    const seen = await asSeenBy(bob);
    expect(seen.action).toMatchObject(expected);
    expect(seen.row.operation.op).toBeUndefined();
  });

  /** DROP LDREF DROP 3 PUSHINT SENDRAWMSG: sends the message that a received one has in its first reference. */
  const forwarder = contractOf(beginCell().storeUint(0x30d43073fb00n, 48).endCell());

  it.each(bodies)('from a contract that somebody made up is a call: %s', async (_, body) => {
    const answer = internal({ to: owner, value: toNano('0.01'), bounce: false, body: body() });
    const forwarded = beginCell()
      .storeRef(beginCell().store(storeMessageRelaxed(answer)).endCell())
      .endCell();
    const { address: to, init } = forwarder;
    const { action, returned } = await act(internal({ to, value: toNano('0.1'), init, body: forwarded }));
    expect(['contract_deploy', 'ton_transfer']).toContain(action.kind);
    expect(action.owed).toBeUndefined();
    expect(keys(returned)).toEqual([undefined]);
    expect(returned[0]!.operation.items).toHaveLength(1);
  });

  describe('of a jetton of their own', () => {
    const metadata = { name: 'USDe', symbol: 'USDe', decimals: 6, description: '', image: '' };
    const fake = () => jettonMaster(owner, metadata);
    const wallet = () => jettonWalletAddress(fake().address, owner);

    it.each([
      ['to the vault', VAULT],
      ['to the master of tsUSDe', STAKED],
    ])('is a transfer: %s', async (_, destination) => {
      const body = mintBody({ to: owner, amount: 5_000_000n, value: toNano('0.1') });
      await act(internal({ to: fake().address, value: FEES, init: fake().init, body }));
      const { action, row } = await send(
        wallet(),
        USDE_VALUE,
        stakeBody({ to: destination, amount: 5_000_000n, response: owner }),
      );
      expect(action).toMatchObject({
        kind: 'jetton_transfer',
        status: 'success',
        receiver: friendly(destination),
        asset: jetton(fake().address),
        amount: '5000000',
        received: null,
      });
      expect(row.operation.op).toEqual({ res: 'tx.tokenTransfer' });
    });

    it('is no claim', async () => {
      const { action, row } = await send(
        wallet(),
        USDE_VALUE,
        claimBody({ to: STAKED, amount: 5_000_000n, response: owner }),
      );
      expect(action).toMatchObject({ kind: 'call_contract', status: 'failed', asset: TON });
      expect(row.operation.op).toBeUndefined();
    });
  });

  it.each(['Deposit', 'Withdraw', 'Collect', 'Stake 5.0 accepted', 'Withdraw completed', 'constructor'])(
    'as a text is a payment, on both sides: %s',
    async text => {
      const bob = createActors('testnet')[2]!.contract.address;
      const { action, row } = await send(bob, 5n, comment(text), false);
      for (const seen of [{ action, row }, await asSeenBy(bob)]) {
        expect(seen.action).toMatchObject({ kind: 'ton_transfer', amount: '5', comment: text });
        expect(seen.row.operation.op).toBeUndefined();
      }
    },
  );
});
