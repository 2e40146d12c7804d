import type { JettonOperation, JettonWallets } from '../../../contracts/chain/ton-jetton';
import type { TonMessageContent } from '../../../contracts/chain/ton-transaction';
import { USDE_CONTRACTS } from '../../../contracts/chain/ton-usde';
import type { VerifiedContracts } from '../../../contracts/chain/ton-verified-contracts';
import { meaningOf } from './operation';

const ALICE = `0:${'a1'.repeat(32)}`;
const BOB = `0:${'b0'.repeat(32)}`;
const OF_ALICE = `0:${'1a'.repeat(32)}`;
const OF_BOB = `0:${'0b'.repeat(32)}`;
const MASTER = `0:${'3a'.repeat(32)}`;
const OTHER_MASTER = `0:${'4a'.repeat(32)}`;

const WALLETS: JettonWallets = {
  [OF_ALICE]: { owner: ALICE, master: MASTER },
  [OF_BOB]: { owner: BOB, master: MASTER },
};

const NOTHING = { op: null, comment: null, jetton: null, nft: null, staking: null, card: null, bounce: null };
const message = (src: string, dest: string, meaning: Partial<TonMessageContent>): TonMessageContent => ({
  info: {
    type: 'internal',
    src,
    dest,
    value: '1',
    bounce: true,
    bounced: false,
    ihrDisabled: true,
    ihrFee: '0',
    extraFlags: 0,
    fwdFee: '0',
    createdLt: '1',
    createdAt: 1,
  },
  init: null,
  body: '',
  ...NOTHING,
  ...meaning,
});

const shared = { queryId: '1', amount: '9' };
const payload = { forwardPayload: null, comment: 'hi' };
const forwarding = { ...shared, ...payload, forwardAmount: '0', customPayload: null };
const transfer: JettonOperation = {
  type: 'transfer',
  ...forwarding,
  destination: BOB,
  responseDestination: null,
};
const internalTransfer: JettonOperation = {
  type: 'internal_transfer',
  ...forwarding,
  from: ALICE,
  responseDestination: null,
};
const notification: JettonOperation = {
  type: 'transfer_notification',
  ...shared,
  ...payload,
  sender: ALICE,
};
const burn: JettonOperation = { type: 'burn', ...shared, responseDestination: null };
const burnNotification: JettonOperation = {
  type: 'burn_notification',
  ...shared,
  sender: ALICE,
  responseDestination: null,
};

/** What a message between the two means to Bob. */
const meaning = (
  { src, dest }: { src: string; dest: string },
  content: Partial<TonMessageContent>,
  { jettonWallets = {}, contracts = {} }: Partial<VerifiedContracts> = {},
) => meaningOf(message(src, dest, content), { account: BOB, jettonWallets, contracts });

const moved = (src: string, dest: string, jetton: JettonOperation, jettonWallets = WALLETS) =>
  meaning({ src, dest }, { jetton }, { jettonWallets }).token;

describe('a jetton message', () => {
  it.each([
    ['transfer, from the owner to the wallet', ALICE, OF_ALICE, transfer],
    ['burn, from the owner to the wallet', ALICE, OF_ALICE, burn],
    ['transfer_notification, from the wallet to its owner', OF_BOB, BOB, notification],
    ['internal_transfer, between two wallets', OF_ALICE, OF_BOB, internalTransfer],
    ['internal_transfer, to a wallet that is not deployed yet', OF_ALICE, OTHER_MASTER, internalTransfer],
    ['internal_transfer, from the master that mints', MASTER, OF_BOB, internalTransfer],
    ['burn_notification, to the master', OF_ALICE, MASTER, burnNotification],
  ] as const)('moves a token: %s', (_what, src, dest, jetton) => {
    expect(moved(src, dest, jetton)).toEqual({ amount: '9', master: MASTER });
  });

  it.each([
    ['transfer, from somebody else', BOB, OF_ALICE, transfer],
    ['transfer, to something else', ALICE, OTHER_MASTER, transfer],
    ['burn, from somebody else', BOB, OF_ALICE, burn],
    ['transfer_notification, from something else', OTHER_MASTER, BOB, notification],
    ['transfer_notification, to somebody else', OF_ALICE, BOB, notification],
    ['internal_transfer, from something else', OTHER_MASTER, OF_BOB, internalTransfer],
    ['burn_notification, to another master', OF_ALICE, OTHER_MASTER, burnNotification],
    ['burn_notification, from something else', OTHER_MASTER, MASTER, burnNotification],
  ] as const)('moves none: %s', (_what, src, dest, jetton) => {
    expect(moved(src, dest, jetton)).toBeNull();
  });

  it('moves none between wallets of two masters', () => {
    const wallets = { ...WALLETS, [OF_BOB]: { owner: BOB, master: OTHER_MASTER } };
    expect(moved(OF_ALICE, OF_BOB, internalTransfer, wallets)).toBeNull();
  });

  it('moves none when the wallet was found to be none, or was not asked for', () => {
    expect(moved(OF_BOB, BOB, notification, { [OF_BOB]: null })).toBeNull();
    expect(moved(OF_BOB, BOB, notification, {})).toBeNull();
  });

  it('that is forged names no counterparty', () => {
    const forged = { src: OTHER_MASTER, dest: BOB };
    expect(meaning(forged, { jetton: notification }, { jettonWallets: WALLETS })).toEqual({
      address: null,
      token: null,
      comment: 'hi',
      op: null,
    });
  });
});

describe('keys of the dictionary', () => {
  const [sent, received] = [
    { src: BOB, dest: ALICE },
    { src: ALICE, dest: BOB },
  ];
  const pool = { contracts: { [ALICE]: 'staking_pool' } } as const;

  it.each([
    [{ type: 'deposit' }, { res: 'known.deposit' }],
    [{ type: 'deposit_response' }, { res: 'known.depositOk' }],
    [
      { type: 'withdraw', stake: '1500000000' },
      { res: 'known.withdraw', options: { coins: '1.5' } },
    ],
    [{ type: 'withdraw', stake: '0' }, { res: 'known.withdrawAll' }],
    [{ type: 'withdraw_response' }, { res: 'known.withdrawAll' }],
    [{ type: 'withdraw_delayed' }, null],
  ] as const)('of the staking operation %j', (staking, expected) => {
    const way = ['deposit', 'withdraw'].includes(staking.type) ? sent : received;
    expect(meaning(way, { staking }, pool).op).toEqual(expected);
    expect(meaning(way, { staking }, { contracts: { [BOB]: 'staking_pool' } }).op).toBeNull();
  });

  it.each([
    ['Deposit', { res: 'known.deposit' }],
    ['Withdraw', { res: 'known.withdrawAll' }],
    ['Collect', null],
    ['toString', null],
  ])('of the text %s to a nominator pool', (text, expected) => {
    expect(meaning(sent, { comment: text }, pool)).toMatchObject({ comment: text, op: expected });
    expect(meaning(sent, { comment: text }).op).toBeNull();
    expect(meaning(received, { comment: text }, pool).op).toBeNull();
  });

  it.each([
    ['Stake 100.50000000 accepted', { res: 'known.depositOk' }],
    ['Withdraw completed', { res: 'known.withdrawAll' }],
    ['Withdraw requested. Please, retry the command when your balance is ready.', null],
    ['Stake accepted', null],
  ])('of the text %s from a nominator pool', (text, expected) => {
    expect(meaning(received, { comment: text }, pool)).toMatchObject({ comment: text, op: expected });
    expect(meaning(received, { comment: text }).op).toBeNull();
    expect(meaning(sent, { comment: text }, pool).op).toBeNull();
  });

  it.each([
    [{ staking: { type: 'liquid_deposit', amount: '5' } }, 'known.deposit'],
    [{ staking: { type: 'liquid_withdraw', jettons: '5' } }, 'known.withdrawLiquid'],
    [{ staking: { type: 'liquid_collect' } }, 'known.withdrawLiquid'],
    [{ comment: 'Withdraw' }, 'known.withdrawLiquid'],
    [{ comment: 'Collect' }, 'known.withdrawLiquid'],
  ] as const)('of what a liquid pool is asked: %j', (content, expected) => {
    const key = (contracts: VerifiedContracts['contracts']) => meaning(sent, content, { contracts }).op?.res;
    expect(key({ [ALICE]: 'liquid_pool' })).toBe(expected);
    expect(key({ [BOB]: 'liquid_pool' })).toBeUndefined();
    expect(key({})).toBeUndefined();
    if ('staking' in content) expect(key({ [ALICE]: 'staking_pool' })).toBeUndefined();
  });

  describe('of staked USDe', () => {
    const { usde, stakedUsde, vault } = USDE_CONTRACTS.mainnet;
    const contracts = { [vault]: 'usde_vault', [stakedUsde]: 'staked_usde' } as const;
    const walletOf = (master: string) => ({ jettonWallets: { [OF_BOB]: { owner: BOB, master } }, contracts });
    const toWallet = { src: BOB, dest: OF_BOB };
    const to = (destination: string) => ({ jetton: { ...transfer, destination } });

    it('is a deposit of USDe that goes to the vault', () => {
      const stake = meaning(toWallet, to(vault), walletOf(usde));
      expect(stake).toMatchObject({ op: { res: 'known.deposit' }, token: { amount: '9', master: usde } });
      for (const [destination, master] of [
        [vault, MASTER],
        [ALICE, usde],
        [stakedUsde, usde],
      ] as const)
        expect(meaning(toWallet, to(destination), walletOf(master)).op?.res).toBe('tx.tokenTransfer');
    });

    it('is a withdrawal of tsUSDe that goes to its master', () => {
      const unstake = meaning(toWallet, to(stakedUsde), walletOf(stakedUsde));
      expect(unstake).toMatchObject({
        op: { res: 'known.withdrawLiquid' },
        token: { amount: '9', master: stakedUsde },
      });
      expect(meaning(toWallet, to(ALICE), walletOf(stakedUsde)).op?.res).toBe('tx.tokenTransfer');
    });

    it('is a claim by the own wallet of tsUSDe alone', () => {
      const claim = { staking: { type: 'usde_claim', amount: '9', destination: stakedUsde } } as const;
      expect(meaning(toWallet, claim, walletOf(stakedUsde)).op?.res).toBe('known.withdrawLiquid');
      expect(meaning(toWallet, claim, walletOf(usde)).op).toBeNull();
      const elsewhere = { staking: { ...claim.staking, destination: ALICE } };
      expect(meaning(toWallet, elsewhere, walletOf(stakedUsde)).op).toBeNull();
      expect(meaning({ src: BOB, dest: ALICE }, claim, walletOf(stakedUsde)).op).toBeNull();
      const ofAlice = { [OF_BOB]: { owner: ALICE, master: stakedUsde } };
      expect(meaning(toWallet, claim, { jettonWallets: ofAlice, contracts }).op).toBeNull();
    });
  });

  it('of operations of card accounts', () => {
    const card = { type: 'account_top_up', amount: '2000000000' } as const;
    expect(meaning(received, { card }).op).toBeNull();
    expect(meaning(sent, { card }).op).toEqual({
      res: 'known.holders.accountTopUp',
      options: { amount: '2' },
    });
    const limits = { onetime: '0', daily: '1000000000', monthly: '2500000000' };
    expect(meaning(sent, { card: { type: 'account_limits_change', ...limits } }).op).toEqual({
      res: 'known.holders.accountLimitsChange',
      options: { onetime: '0', daily: '1', monthly: '2.5' },
    });
  });

  it('of verified jetton messages', () => {
    const key = (src: string, dest: string, jetton: JettonOperation) =>
      meaning({ src, dest }, { jetton }, { jettonWallets: WALLETS }).op?.res;
    expect(key(ALICE, OF_ALICE, transfer)).toBe('tx.tokenTransfer');
    expect(key(OF_BOB, BOB, notification)).toBe('known.tokenReceived');
    expect(key(OF_BOB, BOB, { ...notification, sender: null })).toBe('common.airdrop');
    expect(key(OF_BOB, ALICE, { type: 'excesses', queryId: '1' })).toBe('known.cashback');
    expect(key(BOB, ALICE, { type: 'excesses', queryId: '1' })).toBeUndefined();
  });

  it.each([
    ['nft_item', 'known.cashback'],
    ['jetton_master', 'known.cashback'],
    ['liquid_pool', 'known.cashback'],
    ['staking_pool', undefined],
  ] as const)('of what is left of coins, of a verified %s', (kind, expected) => {
    const contracts = { [BOB]: kind };
    const { op } = meaning(
      { src: BOB, dest: ALICE },
      { jetton: { type: 'excesses', queryId: '1' } },
      { contracts },
    );
    expect(op?.res).toBe(expected);
  });
});

it('shows the receiver of an NFT, and not who claims to have sent one', () => {
  const nft = { queryId: '1', comment: 'a gift' };
  const sent = {
    type: 'transfer',
    ...nft,
    newOwner: ALICE,
    responseDestination: null,
    forwardAmount: '0',
  } as const;
  const item = { contracts: { [OF_BOB]: 'nft_item' } } as const;
  const toItem = { src: BOB, dest: OF_BOB };
  expect(meaning(toItem, { nft: sent }, item)).toMatchObject({ address: ALICE, comment: 'a gift' });
  expect(meaning(toItem, { nft: sent })).toMatchObject({ address: null, comment: 'a gift' });
  const assigned = { type: 'ownership_assigned', ...nft, previousOwner: ALICE } as const;
  expect(meaning({ src: OF_BOB, dest: BOB }, { nft: assigned }, item)).toMatchObject({
    address: null,
    comment: 'a gift',
  });
});
