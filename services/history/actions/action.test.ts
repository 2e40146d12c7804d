import type { TonAction } from '../../../contracts/chain/ton-action';
import type { TonTrace, TraceMessage } from '../../../contracts/chain/ton-trace';
import { WITHDRAW_RESPONSE_OP, type TonMessage } from '../../../contracts/chain/ton-transaction';
import { USDE_CONTRACTS } from '../../../contracts/chain/ton-usde';
import { tonAction } from './action';
import type { OwnTransaction } from './message-meaning';

const address = (digit: string): string => `0:${digit.repeat(64)}`;
const [ME, OTHER, WALLET, MASTER] = ['a', 'b', 'c', 'd'].map(address) as [string, string, string, string];
const [ITEM, POOL, LIQUID] = ['e', 'f', '1'].map(address) as [string, string, string];

type Meaning = Partial<Omit<TonMessage, 'info'>>;

function message(src: string, dest: string, value: string, meaning: Meaning = {}): TonMessage {
  const info = {
    type: 'internal' as const,
    src,
    dest,
    value,
    bounce: true,
    bounced: false,
    ihrDisabled: true,
    ihrFee: '0',
    extraFlags: 0,
    fwdFee: '10',
    createdLt: '11',
    createdAt: 1,
  };
  const nothing = {
    op: null,
    comment: null,
    jetton: null,
    nft: null,
    staking: null,
    card: null,
    bounce: null,
  };
  return { hash: `${src} ${dest} ${value}`, info, init: null, body: '', ...nothing, ...meaning };
}

function transaction(changes: Partial<OwnTransaction>): OwnTransaction {
  return {
    account: ME,
    lt: '10',
    hash: 'own',
    prev: { lt: '1', hash: '' },
    time: 1_700_000_000,
    statusBefore: 'active',
    statusAfter: 'active',
    stateBefore: '',
    stateAfter: '',
    fees: '100',
    inMessage: null,
    outMessages: [],
    direction: 'out',
    success: true,
    exitCode: 0,
    actionCode: 0,
    skippedActions: 0,
    unsent: [],
    walletOperations: [],
    walletSeqno: null,
    external: null,
    jettonWallets: { [WALLET]: { master: MASTER, owner: ME } },
    contracts: { [ITEM]: 'nft_item', [POOL]: 'staking_pool', [LIQUID]: 'liquid_pool' },
    ...changes,
  };
}

/** A message of a trace with the transaction that it caused. */
function traced(
  { hash, info, op, jetton, staking }: TonMessage,
  parent: number | null,
  success = true,
): TraceMessage {
  if (info.type !== 'internal') throw new Error('not an internal message');
  const { src, dest, value, fwdFee, bounced } = info;
  const caused = { lt: '20', hash: `of ${hash}`, time: 1, success, exitCode: 0, fees: '7', deployed: false };
  const known = { hash, parent, src, dest, createdLt: '11', value, fwdFee, bounced, op };
  const meaning = { jetton: jetton as TraceMessage['jetton'], ...(staking && { staking }) };
  return { ...known, ...meaning, transaction: caused };
}

const requested = (
  sent: TonMessage,
  back: readonly TonMessage[] = [],
  {
    state = 'complete',
    members = [],
    jettonWallets = {},
    depositFees = {},
  }: Partial<Omit<TonTrace, 'messages'>> & { members?: OwnTransaction[] } = {},
): TonAction =>
  tonAction({
    transaction: transaction({ outMessages: [sent] }),
    trace: {
      state,
      jettonWallets,
      depositFees,
      messages: [traced(sent, null), ...back.map(each => traced(each, 0))],
    },
    members,
  });

const arrived = (inMessage: TonMessage): TonAction =>
  tonAction({ transaction: transaction({ direction: 'in', inMessage }), trace: null, members: [] });

const TO_OTHER = { queryId: '0', newOwner: OTHER, comment: null };
const TON = { type: 'ton' };
const JETTON = { type: 'jetton', master: MASTER };

describe('what an owner requested', () => {
  const swap = { type: 'transfer' as const, queryId: '0', amount: '5', destination: OTHER, comment: null };
  const rest = { responseDestination: null, customPayload: null, forwardAmount: '1', forwardPayload: null };
  const sell = message(ME, WALLET, '300', { op: 1, jetton: { ...swap, ...rest } });

  it('is a mint when the contract is confirmed to be the master of the wallet that it sent jettons to', () => {
    const call = message(ME, MASTER, '300', { op: 21 });
    const jetton = {
      type: 'internal_transfer' as const,
      queryId: '0',
      amount: '8',
      from: null,
      comment: null,
    };
    const given = [message(MASTER, WALLET, '50', { op: 3, jetton: { ...jetton, ...rest } })];
    const ofOther = { master: MASTER, owner: OTHER };
    expect(requested(call, given, { jettonWallets: { [WALLET]: ofOther } })).toMatchObject({
      kind: 'jetton_mint',
      receiver: OTHER,
      asset: JETTON,
      amount: '8',
    });
    for (const wallet of [undefined, null, { master: POOL, owner: OTHER }])
      expect(
        requested(call, given, { jettonWallets: wallet === undefined ? {} : { [WALLET]: wallet } }),
      ).toMatchObject({
        kind: 'call_contract',
        receiver: MASTER,
        asset: TON,
      });
  });

  it('is a swap for coins when more of them come back than were sent', () => {
    expect(requested(sell, [message(OTHER, ME, '1000', { op: 2 })])).toMatchObject({
      kind: 'jetton_swap',
      asset: JETTON,
      amount: '5',
      received: { asset: TON, amount: '700' },
      fee: '117',
    });
  });

  it('is a swap of coins when jettons come for them', () => {
    const notification = message(WALLET, ME, '50', {
      op: 3,
      jetton: {
        type: 'transfer_notification',
        queryId: '0',
        amount: '9',
        sender: OTHER,
        comment: null,
        forwardPayload: null,
      },
    });
    const member = transaction({ hash: `of ${notification.hash}`, direction: 'in', inMessage: notification });
    const buy = message(ME, OTHER, '300', { op: 1 });
    const expected = { asset: TON, received: { asset: JETTON, amount: '9' }, amount: '250' };
    expect(requested(buy, [notification], { members: [member] })).toMatchObject({
      kind: 'jetton_swap',
      ...expected,
    });
    const forged = { ...member, jettonWallets: { [WALLET]: null } };
    expect(requested(buy, [notification], { members: [forged] })).toMatchObject({
      kind: 'call_contract',
      received: null,
    });
  });

  it('is a withdrawal of a stake when the pool pays at once, otherwise a request for one', () => {
    const withdraw = message(ME, POOL, '200', { op: 1, staking: { type: 'withdraw', stake: '0' } });
    expect(requested(withdraw, [message(POOL, ME, '5200', { op: 2 })])).toMatchObject({
      kind: 'stake_withdrawal',
      asset: TON,
      amount: '5000',
      fee: '117',
    });
    expect(requested(withdraw, [message(POOL, ME, '150', { op: 2 })])).toMatchObject({
      kind: 'stake_withdrawal_request',
      amount: null,
      fee: '167',
    });
  });

  it('is a deposit of what the pool does not take for itself and its receipt', () => {
    const deposit = message(ME, POOL, '5200', { op: 1, staking: { type: 'deposit' } });
    const receipt = message(POOL, ME, '90', { op: 2, staking: { type: 'deposit_response' } });
    const action = (fees?: { fee: string; receipt: string }) =>
      requested(deposit, [receipt], fees && { depositFees: { [POOL]: fees } });
    expect(action({ fee: '100', receipt: '100' })).toMatchObject({
      kind: 'stake_deposit',
      asset: TON,
      amount: '5000',
      fee: String(117 + 110),
    });
    // Neither is known: it kept 5110.
    for (const fees of [undefined, { fee: '100', receipt: '80' }])
      expect(action(fees)).toMatchObject({ amount: '5110', fee: '117' });
  });

  it('is a transfer of USDe when the vault gives no shares for it, and does not send it back', () => {
    const { usde, stakedUsde, vault } = USDE_CONTRACTS.mainnet;
    const verified = {
      jettonWallets: { [WALLET]: { master: usde, owner: ME } },
      contracts: { [vault]: 'usde_vault', [stakedUsde]: 'staked_usde' },
    } as const;
    const jetton = { ...swap, ...rest, destination: vault };
    const sent = message(ME, WALLET, '300', { op: 1, jetton });
    const shares = message(stakedUsde, OTHER, '50', {
      op: 3,
      jetton: {
        type: 'internal_transfer',
        queryId: '0',
        amount: '4',
        from: vault,
        ...rest,
        comment: null,
      },
    });
    const action = (...back: TonMessage[]) =>
      tonAction({
        transaction: transaction({ outMessages: [sent], ...verified }),
        trace: {
          state: 'complete',
          messages: [sent, ...back].map((each, at) => traced(each, at ? 0 : null)),
        },
        members: [],
      });
    const expected = {
      status: 'success',
      receiver: vault,
      asset: { type: 'jetton', master: usde },
      amount: '5',
    };
    expect(action()).toMatchObject({ ...expected, kind: 'jetton_transfer', received: null });
    expect(action(shares)).toMatchObject({
      ...expected,
      kind: 'stake_deposit',
      received: { asset: { type: 'jetton', master: stakedUsde }, amount: '4' },
    });
  });

  it('is as much of a stake as was asked for when the pool says that it pays', () => {
    const withdraw = message(ME, POOL, '200', { op: 1, staking: { type: 'withdraw', stake: '5000' } });
    const paid = (type: 'withdraw_response' | 'withdraw_delayed') =>
      requested(withdraw, [
        message(POOL, ME, '5090', {
          op: type === 'withdraw_response' ? WITHDRAW_RESPONSE_OP : 2,
          staking: { type },
        }),
      ]);
    const expected = { kind: 'stake_withdrawal', asset: TON };
    expect(paid('withdraw_response')).toMatchObject({ ...expected, amount: '5000', fee: '227' });
    // A part is paid, and the pool does not say how much.
    expect(paid('withdraw_delayed')).toMatchObject({ ...expected, amount: '4890', fee: '117' });
  });

  it('is a withdrawal when a liquid pool pays for the jettons at once', () => {
    const withdraw = message(ME, LIQUID, '200', {
      op: 1,
      staking: { type: 'liquid_withdraw', jettons: '0' },
    });
    const burnt = message(WALLET, LIQUID, '90', {
      op: 2,
      jetton: {
        type: 'burn_notification',
        queryId: '0',
        amount: '40',
        sender: ME,
        responseDestination: ME,
      },
    });
    const paid = message(LIQUID, ME, '42', {
      op: WITHDRAW_RESPONSE_OP,
      staking: { type: 'withdraw_response' },
    });
    const action = requested(withdraw, [burnt, paid, message(LIQUID, ME, '50', { op: 4 })]);
    expect(action).toMatchObject({
      kind: 'stake_withdrawal',
      status: 'success',
      asset: { type: 'jetton', master: LIQUID },
      amount: '40',
      received: { asset: TON, amount: '42' },
      fee: String(110 + 7 + 7 + 200 - 50),
    });
    expect(action.owed).toBeUndefined();
  });

  it('believes of what a liquid pool owes and gives only what itself says', () => {
    const withdraw = message(ME, LIQUID, '200', {
      op: 1,
      staking: { type: 'liquid_withdraw', jettons: '40' },
    });
    const owed = { op: 2, staking: { type: 'liquid_owed', round: 1, amount: '42' } } as const;
    const [byPool, byOther] = [LIQUID, OTHER].map(src =>
      requested(withdraw, [message(src, WALLET, '9', owed)]),
    );
    expect(byPool!.owed).toEqual({ asset: TON, amount: '42', payableAt: null });
    expect(byOther!.owed).toBeUndefined();
  });

  it('is a transfer of an item, with what reached its receiver', () => {
    const nft = { type: 'transfer' as const, queryId: '0', newOwner: OTHER, responseDestination: ME };
    const give = message(ME, ITEM, '100', {
      op: 1,
      nft: { ...nft, forwardAmount: '30', comment: 'yours' },
    });
    expect(requested(give, [message(ITEM, OTHER, '30', { op: 0x05138d91 })])).toMatchObject({
      kind: 'nft_transfer',
      receiver: OTHER,
      asset: { type: 'nft', address: ITEM },
      comment: 'yours',
      forwarded: '30',
      fee: '180',
    });
  });

  it.each<[string, Meaning]>([
    ['an item', { nft: { ...TO_OTHER, type: 'transfer', responseDestination: ME, forwardAmount: '0' } }],
    ['a pool, to deposit', { staking: { type: 'deposit' } }],
    ['a pool, to withdraw', { staking: { type: 'withdraw', stake: '0' } }],
  ])('is a call when it asks what is not %s', (_name, meaning) => {
    expect(requested(message(ME, OTHER, '100', { op: 1, ...meaning }))).toMatchObject({
      kind: 'call_contract',
      receiver: OTHER,
      asset: TON,
    });
  });

  it('is pending while its trace is open, and is not called failed when it is abandoned', () => {
    const pay = message(ME, OTHER, '300');
    const sent = transaction({ outMessages: [pay] });
    expect(tonAction({ transaction: sent, trace: null, members: [] })).toMatchObject({
      kind: 'ton_transfer',
      status: 'pending',
      amount: '300',
      fee: '110',
    });
    expect(requested(pay, [], { state: 'open' }).status).toBe('pending');
    expect(requested(pay, [], { state: 'abandoned' }).status).toBe('success');
  });

  it('is a transfer of jettons only from the confirmed wallet of the owner', () => {
    const elsewhere = { ...sell, info: { ...sell.info, dest: OTHER } } as TonMessage;
    expect(requested(elsewhere)).toMatchObject({ kind: 'call_contract', asset: TON, amount: '300' });
  });

  it('is a deployment when nothing was sent but the account has become active', () => {
    const deployed = transaction({
      statusBefore: 'uninitialized',
      inMessage: {
        ...message(OTHER, ME, '0'),
        info: { type: 'external-in', dest: ME, src: null, importFee: '0' },
      },
    });
    expect(tonAction({ transaction: deployed, trace: null, members: [] })).toMatchObject({
      kind: 'contract_deploy',
      status: 'success',
    });
  });
});

describe('what arrived', () => {
  it.each<[string, TonMessage, object]>([
    [
      'a payment',
      message(OTHER, ME, '5', { op: 0, comment: 'hi' }),
      { kind: 'ton_transfer', asset: TON, comment: 'hi' },
    ],
    ['a call', message(OTHER, ME, '5', { op: 77 }), { kind: 'call_contract', asset: TON, amount: '5' }],
    [
      'a stake that a pool returned',
      message(POOL, ME, '5', { op: 1, staking: { type: 'withdraw_response' } }),
      { kind: 'stake_withdrawal', amount: '5' },
    ],
    [
      'an item',
      message(ITEM, ME, '5', {
        op: 1,
        nft: { type: 'ownership_assigned', queryId: '0', previousOwner: OTHER, comment: null },
      }),
      { kind: 'nft_transfer', sender: OTHER, asset: { type: 'nft', address: ITEM } },
    ],
    [
      'what a stranger calls an item',
      message(OTHER, ME, '5', {
        op: 1,
        nft: { type: 'ownership_assigned', queryId: '0', previousOwner: MASTER, comment: null },
      }),
      { kind: 'call_contract', sender: OTHER, asset: TON, amount: '5' },
    ],
    [
      'what a stranger calls a returned stake',
      message(OTHER, ME, '5', { op: 1, staking: { type: 'withdraw_response' } }),
      { kind: 'call_contract', sender: OTHER, asset: TON, amount: '5' },
    ],
    [
      'jettons that nobody sent',
      message(WALLET, ME, '5', {
        op: 1,
        jetton: {
          type: 'transfer_notification',
          queryId: '0',
          amount: '8',
          sender: null,
          comment: null,
          forwardPayload: null,
        },
      }),
      { kind: 'jetton_mint', sender: null, asset: JETTON, amount: '8' },
    ],
  ])('%s', (_name, inMessage, expected) => {
    expect(arrived(inMessage)).toMatchObject({ receiver: ME, status: 'success', fee: '100', ...expected });
  });

  it.each([
    ['a payment', { op: 0, comment: 'hi' }, { kind: 'ton_transfer', comment: 'hi', amount: '5' }],
    ['a call', { op: 77 }, { kind: 'call_contract', amount: '5' }],
    [
      'a payment that says what it was',
      { bounce: { phase: 'compute', exitCode: 9, value: '8', createdLt: '3', createdAt: 1 } },
      { kind: 'ton_transfer', amount: '8' },
    ],
  ] as const)('again, %s that another account refused, is what failed', (_name, meaning, expected) => {
    const sent = message(OTHER, ME, '5', meaning);
    const back = { ...sent, info: { ...sent.info, bounced: true } } as TonMessage;
    const common = { status: 'failed', sender: ME, receiver: OTHER, asset: TON };
    expect(arrived(back)).toMatchObject({ ...common, ...expected });
  });

  describe('in extra currencies', () => {
    const paid = message(OTHER, ME, '50000000000', { comment: 'hi' });
    const carrying = (extraCurrency: Record<string, string>, changes: object = {}) =>
      ({ ...paid, info: { ...paid.info, extraCurrency, ...changes } }) as TonMessage;
    const named = (id: string, amount: string) => ({
      kind: 'extra_currency_transfer',
      asset: { type: 'extra_currency', id },
      amount,
    });

    it('names one, with the coins that come with it', () => {
      const expected = { ...named('100', '900'), sender: OTHER, receiver: ME, forwarded: '50000000000' };
      const action = arrived(carrying({ '100': '900' }));
      expect(action).toMatchObject({ ...expected, parts: [expected] });
    });

    it('names each of several, and the coins once', () => {
      const action = arrived(carrying({ '100': '900', '200': '7' }));
      const { kind } = named('100', '900');
      expect(action).toMatchObject({
        kind,
        asset: null,
        amount: null,
        forwarded: '50000000000',
        comment: 'hi',
      });
      expect(action.parts).toMatchObject([
        { ...named('100', '900'), forwarded: '50000000000' },
        { ...named('200', '7'), forwarded: '0' },
      ]);
    });

    it('names those that come with a jetton', () => {
      const notification = message(WALLET, ME, '50', {
        op: 3,
        jetton: {
          type: 'transfer_notification',
          queryId: '0',
          amount: '9',
          sender: OTHER,
          comment: null,
          forwardPayload: null,
        },
      });
      const info = { ...notification.info, extraCurrency: { '100': '900' } };
      expect(arrived({ ...notification, info } as TonMessage).parts).toMatchObject([
        { kind: 'jetton_transfer', sender: OTHER, asset: JETTON, amount: '9' },
        { ...named('100', '900'), sender: WALLET, receiver: ME },
      ]);
    });

    it('of what came back, is what was sent', () => {
      expect(arrived(carrying({ '100': '900' }, { bounced: true }))).toMatchObject({
        ...named('100', '900'),
        status: 'failed',
        sender: ME,
        receiver: OTHER,
        forwarded: '50000000000',
      });
    });

    it.each(['open', 'abandoned'] as const)('that the owner sent, while the trace is %s', state => {
      const sent = message(ME, OTHER, '7', {});
      const info = { ...sent.info, extraCurrency: { '100': '900' } };
      expect(requested({ ...sent, info } as TonMessage, [], { state })).toMatchObject({
        ...named('100', '900'),
        forwarded: '7',
      });
    });
  });
});
