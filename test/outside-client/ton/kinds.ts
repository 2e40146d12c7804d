import {
  Address,
  beginCell,
  type Cell,
  comment,
  contractAddress,
  Dictionary,
  ExternalAddress,
  internal,
  loadSimpleLibrary,
  SendMode,
  storeSimpleLibrary,
  toNano,
  type DictionaryValue,
  type SimpleLibrary,
  type MessageRelaxed,
} from '@ton/core';
import {
  accountLimitsChange,
  accountTopUp,
  forgeries,
  jettonBurn,
  jettonMint,
  jettonTransfer,
  nftTransfer,
  OP,
  ownershipAssigned,
  plain,
  relayBody,
  relayed,
  stakeDeposit,
  stakeWithdraw,
} from './bodies';
import { nowhere, relay, strictRelay, thrower, vault } from './contracts';
import type { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { carrying, type Asset, type Part, type Scenario } from './scenario';
import { createWallet, WALLET_MODE, type Signing } from './wallet';

/** A kind of transaction that an outside client makes, any number of times. */
export interface Kind {
  readonly name: string;
  run(scenario: Scenario, random: () => number): Promise<unknown>;
}

const VALUE = toNano('0.2');
/** More than any wallet has. */
const tooMuch = toNano(2_000_000);

/** `extra_flags` of a message, which the client calls `ihrFee`: the older bounce, that of version 12, with the whole body. */
const BOUNCES = [0n, 1n, 3n];

const withFlags = (message: MessageRelaxed, flags: bigint): MessageRelaxed =>
  message.info.type === 'internal' ? { ...message, info: { ...message.info, ihrFee: flags } } : message;

const pay = (to: Address, value: bigint, body?: Cell | string): MessageRelaxed =>
  internal({ to, value, bounce: false, ...(body !== undefined && { body }) });

const call = (to: Address, value: bigint, body?: Cell | string): MessageRelaxed =>
  internal({ to, value, bounce: true, ...(body !== undefined && { body }) });

const transferred = (receiver: Address, amount: bigint, text?: string): Part => ({
  kind: 'ton_transfer',
  receiver,
  amount,
  ...(text && { comment: text }),
});

const gold = (scenario: Scenario): Asset => ({
  type: 'jetton',
  master: scenario.gold.address.toRawString(),
});

/** As the client reads and writes libraries; it does not export its own. */
const librarySpec: DictionaryValue<SimpleLibrary> = {
  serialize: (library, builder) => void storeSimpleLibrary(library)(builder),
  parse: slice => loadSimpleLibrary(slice),
};

/** An external message to outside of the chain. */
const emitted = (topic: bigint): MessageRelaxed => ({
  info: {
    type: 'external-out',
    dest: new ExternalAddress(topic, 64),
    createdLt: 0n,
    createdAt: 0,
  },
  body: comment('an event'),
});

/** Some nanotons below one TON. */
const some = (random: () => number): bigint => 1n + BigInt(Math.floor(random() * 900_000_000));

const LONG_COMMENT = 'Спасибо за обед 🍜, и до встречи на озере! '.repeat(8);

const transfers: readonly Kind[] = [
  {
    name: 'a transfer with a comment',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      await scenario.request(
        alice,
        [pay(bob.address, value, 'rent')],
        [transferred(bob.address, value, 'rent')],
      );
    },
  },
  {
    name: 'a transfer without a comment',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      await scenario.request(bob, [pay(alice.address, value)], [transferred(alice.address, value)]);
    },
  },
  {
    name: 'a transfer with an empty comment',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      await scenario.request(
        alice,
        [pay(bob.address, value, comment(''))],
        [transferred(bob.address, value)],
      );
    },
  },
  {
    name: 'a transfer with a comment of several cells',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      const part = transferred(alice.address, value, LONG_COMMENT);
      await scenario.request(bob, [pay(alice.address, value, LONG_COMMENT)], [part]);
    },
  },
  {
    name: 'a transfer with a comment that is not UTF-8',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      const body = beginCell().storeUint(0, 32).storeBuffer(Buffer.from('ffe282', 'hex')).endCell();
      await scenario.request(
        alice,
        [pay(bob.address, value, body)],
        [transferred(bob.address, value, '\uFFFD\uFFFD')],
      );
    },
  },
  {
    name: 'a transfer of nothing',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      await scenario.request(
        bob,
        [pay(alice.address, 0n, 'hello')],
        [transferred(alice.address, 0n, 'hello')],
      );
    },
  },
  {
    name: 'a transfer to the masterchain',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      const to = new Address(-1, bob.address.hash);
      await scenario.request(alice, [pay(to, value, 'up')], [transferred(to, value, 'up')]);
    },
  },
  {
    name: 'a transfer to oneself',
    async run(scenario, random) {
      const { alice } = scenario.wallets;
      const value = some(random);
      await scenario.request(
        alice,
        [pay(alice.address, value, 'to me')],
        [transferred(alice.address, value, 'to me')],
      );
    },
  },
  {
    name: 'several messages at once of a v5 wallet',
    async run(scenario, random) {
      const { alice, bob, mallory } = scenario.wallets;
      const values = Array.from({ length: 12 }, () => some(random));
      const to = (index: number): Address => (index % 2 === 0 ? bob : mallory).address;
      await scenario.request(
        alice,
        values.map((value, index) => pay(to(index), value, `part ${index}`)),
        values.map((value, index) => transferred(to(index), value, `part ${index}`)),
      );
    },
  },
  {
    name: 'four messages at once of a v4 wallet',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const values = Array.from({ length: 4 }, () => some(random));
      await scenario.request(
        bob,
        values.map(value => pay(alice.address, value)),
        values.map(value => transferred(alice.address, value)),
      );
    },
  },
  {
    name: 'a request that a relayer carries',
    async run(scenario, random) {
      const { alice, bob, mallory } = scenario.wallets;
      const value = some(random);
      const messages = [pay(mallory.address, value, 'gasless')];
      const create = (signing: Signing): Cell =>
        (alice.contract as unknown as WalletContractV5R1).createTransfer({
          ...signing,
          authType: 'internal',
          sendMode: WALLET_MODE,
          messages,
        });
      const part = transferred(mallory.address, value, 'gasless');
      await scenario.relay(bob, alice, { messages, create }, [part]);
    },
  },
  ...(['v2', 'v3'] as const).map((version): Kind => ({
    name: `transfers of a ${version} wallet`,
    async run(scenario, random) {
      const { bob } = scenario.wallets;
      const wallet = createWallet(version, scenario.node);
      await scenario.node.grant(wallet.address, toNano(5));
      const value = some(random);
      const messages = [pay(bob.address, value, version), pay(bob.address, tooMuch)];
      await scenario.request(wallet, messages, [
        transferred(bob.address, value, version),
        { ...transferred(bob.address, tooMuch), status: 'failed' },
      ]);
    },
  })),
  {
    name: 'a transfer that an extension requests',
    async run(scenario, random) {
      const { bob, mallory } = scenario.wallets;
      const wallet = createWallet('v5', scenario.node);
      const contract = wallet.contract as unknown as WalletContractV5R1;
      await scenario.node.grant(wallet.address, toNano(5));
      await scenario.request(wallet, [], [], {
        create: signing => contract.createAddExtension({ ...signing, extensionAddress: mallory.address }),
      });
      const value = some(random);
      const messages = [pay(bob.address, value, 'extension')];
      const body = await contract.createTransfer({
        authType: 'extension',
        seqno: 0, // not written
        queryId: BigInt(Math.floor(random() * 2 ** 32)),
        sendMode: WALLET_MODE,
        messages,
      });
      scenario.expectOf(wallet, body, messages, [transferred(bob.address, value, 'extension')]);
      await scenario.request(mallory, ...carrying(wallet, body));
    },
  },
  {
    name: 'coins that a plugin requests',
    async run(scenario, random) {
      const { mallory } = scenario.wallets;
      const wallet = createWallet('v4', scenario.node);
      const contract = wallet.contract as unknown as WalletContractV4;
      await scenario.node.grant(wallet.address, toNano(5));
      const forwardAmount = toNano('0.1');
      const installed = call(relay.address, forwardAmount, plain(OP.pluginInstalled));
      await scenario.request(
        wallet,
        [installed],
        [{ kind: 'call_contract', receiver: relay.address, amount: forwardAmount }],
        {
          create: signing =>
            contract.createAddPlugin({ ...signing, address: relay.address, forwardAmount, queryId: 7n }),
        },
      );
      const wanted = beginCell()
        .storeUint(OP.pluginRequest, 32)
        .storeUint(7, 64)
        .storeCoins(some(random))
        .storeBit(false)
        .endCell();
      const answer = call(relay.address, 0n, plain(OP.pluginRequest + 0x80000000));
      const part: Part = { kind: 'call_contract', receiver: relay.address, amount: 'all' };
      scenario.expectOf(wallet, wanted, [answer], [part]);
      const order = relayBody([call(wallet.address, toNano('0.05'), wanted)]);
      await scenario.request(
        mallory,
        [call(relay.address, VALUE, order)],
        [transferred(relay.address, VALUE)],
      );
    },
  },
];

const failures: readonly Kind[] = [
  {
    name: 'a transfer that the balance does not cover',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      const part: Part = { ...transferred(bob.address, tooMuch, 'a house'), status: 'failed' };
      await scenario.request(alice, [pay(bob.address, tooMuch, 'a house')], [part]);
    },
  },
  {
    name: 'a transfer that fails the action phase',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      const part: Part = { ...transferred(alice.address, tooMuch), status: 'failed' };
      const mode = SendMode.PAY_GAS_SEPARATELY;
      await scenario.request(bob, [pay(alice.address, tooMuch)], [part], { mode });
    },
  },
  {
    name: 'several messages of which one is not covered',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      await scenario.request(
        bob,
        [pay(alice.address, value, 'covered'), pay(alice.address, tooMuch, 'not covered')],
        [
          transferred(alice.address, value, 'covered'),
          { ...transferred(alice.address, tooMuch, 'not covered'), status: 'failed' },
        ],
      );
    },
  },
  {
    name: 'transfers to an account that is not deployed, which bounce in every format',
    async run(scenario, random) {
      const values = BOUNCES.map(() => VALUE + some(random));
      await scenario.request(
        scenario.wallets.alice,
        BOUNCES.map((flags, at) => withFlags(call(nowhere.address, values[at]!, LONG_COMMENT), flags)),
        values.map(value => ({ ...transferred(nowhere.address, value, LONG_COMMENT), status: 'failed' })),
      );
    },
  },
  {
    name: 'calls of a contract that throws, which bounce in every format',
    async run(scenario, random) {
      const values = BOUNCES.map(() => VALUE + some(random));
      await scenario.request(
        scenario.wallets.bob,
        BOUNCES.map((flags, at) => withFlags(call(thrower.address, values[at]!, plain(0x12345678)), flags)),
        values.map(amount => ({
          kind: 'call_contract',
          status: 'failed',
          receiver: thrower.address,
          amount,
        })),
      );
    },
  },
  {
    name: 'calls of a contract that cannot pay, which bounce in every format',
    async run(scenario) {
      const body = relayBody([pay(thrower.address, tooMuch)], 0x11112222);
      await scenario.request(
        scenario.wallets.alice,
        BOUNCES.map(flags => withFlags(call(strictRelay.address, VALUE, body), flags)),
        BOUNCES.map(() => ({
          kind: 'call_contract',
          status: 'failed',
          receiver: strictRelay.address,
          amount: VALUE,
        })),
      );
    },
  },
  {
    name: 'a call of a contract that throws and keeps the value',
    async run(scenario) {
      await scenario.request(
        scenario.wallets.alice,
        [pay(thrower.address, VALUE, plain(0x12345678))],
        [
          {
            kind: 'call_contract',
            status: 'failed',
            receiver: thrower.address,
            amount: VALUE,
            isLost: true,
          },
        ],
      );
    },
  },
  {
    name: 'an external message whose contract throws',
    run: (scenario, random) =>
      scenario.knock(thrower.address, beginCell().storeUint(some(random), 64).endCell()),
  },
];

/** The lives of accounts. */
const lives: readonly Kind[] = [
  ...([true, false] as const).map((isFollowed): Kind => ({
    name: `money for an account that is created, deployed, deleted and deployed again${isFollowed ? '' : ', unobserved'}`,
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const wallet = createWallet('v4', scenario.node);
      const { address } = wallet;
      if (isFollowed) await scenario.follow(address);
      const refused: Part = { ...transferred(address, VALUE), status: 'failed' };
      await scenario.request(alice, [call(address, VALUE)], [refused]);
      const gift = toNano(1);
      await scenario.request(alice, [pay(address, gift, 'gift')], [transferred(address, gift, 'gift')]);
      const value = some(random) / 2n;
      await scenario.request(wallet, [pay(bob.address, value)], [transferred(bob.address, value)]);
      const rest: Part = { kind: 'ton_transfer', receiver: bob.address, amount: 'all', comment: 'the rest' };
      await scenario.request(wallet, [pay(bob.address, 0n, 'the rest')], [rest], {
        mode: SendMode.CARRY_ALL_REMAINING_BALANCE | SendMode.DESTROY_ACCOUNT_IF_ZERO,
      });
      await scenario.node.grant(address, gift);
      // With a comment: the new wallet also begins at seqno 0, and within one second the message would be the first one.
      await scenario.request(
        wallet,
        [pay(bob.address, value, 'back')],
        [transferred(bob.address, value, 'back')],
      );
    },
  })),
  {
    name: 'the deployment of a wallet that sends nothing yet',
    async run(scenario) {
      const wallet = createWallet('v5', scenario.node);
      await scenario.node.grant(wallet.address, toNano(1));
      await scenario.request(wallet, [], []);
    },
  },
  {
    name: 'a transfer that brings the code of a contract which is deployed',
    async run(scenario) {
      const { address, init } = vault();
      const message = internal({ to: address, value: VALUE, init });
      await scenario.request(scenario.wallets.alice, [message], [transferred(address, VALUE)]);
    },
  },
  {
    name: 'the deployment of a contract with a library',
    async run(scenario, random) {
      const { init } = vault(String(random()));
      const root = comment('a library');
      const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), librarySpec);
      libraries.set(BigInt(`0x${root.hash().toString('hex')}`), { public: true, root });
      const withLibrary = { ...init, libraries };
      const address = contractAddress(0, withLibrary);
      await scenario.request(
        scenario.wallets.bob,
        [internal({ to: address, value: VALUE, init: withLibrary })],
        [{ kind: 'contract_deploy', receiver: address, amount: VALUE }],
      );
    },
  },
  {
    name: 'the deployment of a contract',
    async run(scenario, random) {
      const contract = vault(String(random()));
      await scenario.request(
        scenario.wallets.bob,
        [internal({ to: contract.address, value: VALUE, init: contract.init })],
        [{ kind: 'contract_deploy', receiver: contract.address, amount: VALUE }],
      );
    },
  },
  {
    name: 'a transfer to a wallet that is not deployed, and its first own one',
    async run(scenario, random) {
      const { alice, carol } = scenario.wallets;
      const value = toNano(1) + some(random);
      await scenario.request(alice, [pay(carol.address, value)], [transferred(carol.address, value)]);
      const back = some(random) / 10n;
      await scenario.request(
        carol,
        [pay(alice.address, back, 'thanks')],
        [transferred(alice.address, back, 'thanks')],
      );
    },
  },
];

interface GoldTransfer {
  readonly amount: bigint;
  readonly forwardValue?: bigint;
  readonly text?: string;
  /** The comment is in the body itself, not in a reference. */
  readonly isInline?: boolean;
}

const goldFrom = (
  scenario: Scenario,
  { amount, forwardValue = toNano('0.01'), text, isInline = false }: GoldTransfer,
): { message: MessageRelaxed; part: Part } => {
  const { alice, bob } = scenario.wallets;
  const body = jettonTransfer({
    to: bob.address,
    amount,
    response: alice.address,
    forwardValue,
    isInline,
    ...(text !== undefined && { payload: comment(text) }),
  });
  return {
    message: call(scenario.goldOf(alice.address), VALUE, body),
    part: {
      kind: 'jetton_transfer',
      receiver: bob.address,
      asset: gold(scenario),
      amount,
      forwarded: forwardValue,
      ...(text && { comment: text }),
    },
  };
};

const someGold = (random: () => number): bigint => 1n + BigInt(Math.floor(random() * 1_000));

const jettons: readonly Kind[] = [
  ...(
    [
      ['with a comment', { text: 'gold for you' }],
      ['without a comment', {}],
      ['with an empty comment', { text: '' }],
      ['with a comment in its body', { text: 'short', isInline: true }],
      ['without a notification', { forwardValue: 0n }],
    ] as const
  ).map(([how, options]): Kind => ({
    name: `a jetton transfer ${how}`,
    async run(scenario, random) {
      const { message, part } = goldFrom(scenario, { amount: someGold(random), ...options });
      await scenario.request(scenario.wallets.alice, [message], [part]);
    },
  })),
  {
    name: 'a jetton transfer that the own jetton wallet refuses',
    async run(scenario) {
      const { message, part } = goldFrom(scenario, { amount: 10n ** 15n, text: 'too much' });
      const failed: Part = { ...part, status: 'failed', forwarded: 0n };
      await scenario.request(scenario.wallets.alice, [message], [failed]);
    },
  },
  {
    name: 'a jetton transfer whose coins the balance does not cover',
    async run(scenario, random) {
      const { message, part } = goldFrom(scenario, { amount: someGold(random), text: 'no coins' });
      if (message.info.type === 'internal') message.info.value.coins = tooMuch;
      const failed: Part = { ...part, status: 'failed', forwarded: 0n };
      await scenario.request(scenario.wallets.alice, [message], [failed]);
    },
  },
  {
    name: 'a jetton transfer to oneself',
    async run(scenario, random) {
      const { alice } = scenario.wallets;
      const amount = someGold(random);
      const body = jettonTransfer({
        to: alice.address,
        amount,
        response: alice.address,
        forwardValue: toNano('0.01'),
      });
      await scenario.request(
        alice,
        [call(scenario.goldOf(alice.address), VALUE, body)],
        [{ kind: 'jetton_transfer', receiver: alice.address, asset: gold(scenario), amount }],
      );
    },
  },
  {
    name: 'a jetton transfer from a wallet of somebody else',
    async run(scenario) {
      const { alice, mallory } = scenario.wallets;
      const to = scenario.goldOf(alice.address);
      const transfer = { to: mallory.address, amount: 5n, response: mallory.address, forwardValue: 1n };
      await scenario.request(
        mallory,
        [call(to, VALUE, jettonTransfer(transfer))],
        [{ kind: 'call_contract', status: 'failed', receiver: to, amount: VALUE }],
      );
    },
  },
  {
    name: 'a burn of more jettons than there are',
    async run(scenario) {
      const { alice } = scenario.wallets;
      const amount = 10n ** 15n;
      await scenario.request(
        alice,
        [call(scenario.goldOf(alice.address), VALUE, jettonBurn(amount, alice.address))],
        [{ kind: 'jetton_burn', status: 'failed', receiver: null, asset: gold(scenario), amount }],
      );
    },
  },
  {
    name: 'a mint with a notification',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const amount = someGold(random);
      await scenario.request(
        alice,
        [call(scenario.gold.address, VALUE, jettonMint(bob.address, amount, toNano('0.1'), toNano('0.01')))],
        [{ kind: 'jetton_mint', receiver: bob.address, asset: gold(scenario), amount }],
      );
    },
  },
  {
    name: 'a mint that the jetton wallet refuses',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      await scenario.request(
        alice,
        [call(scenario.gold.address, VALUE, jettonMint(bob.address, 1_000n, 1n))],
        [
          {
            kind: 'call_contract',
            status: 'failed',
            receiver: scenario.gold.address,
            amount: VALUE,
            isLost: true,
          },
        ],
      );
    },
  },
  ...([true, false] as const).map((responds): Kind => ({
    name: `a burn ${responds ? 'with' : 'without'} a response address`,
    async run(scenario, random) {
      const { alice } = scenario.wallets;
      const amount = someGold(random);
      await scenario.request(
        alice,
        [call(scenario.goldOf(alice.address), VALUE, jettonBurn(amount, responds ? alice.address : null))],
        [{ kind: 'jetton_burn', receiver: null, asset: gold(scenario), amount }],
      );
    },
  })),
  {
    name: 'forged jetton messages of every operation',
    async run(scenario) {
      const { alice, bob, mallory } = scenario.wallets;
      const bodies = forgeries(5_000_000n, bob.address, 'you are rich');
      await scenario.request(
        mallory,
        bodies.map(body => pay(alice.address, 1n, body)),
        bodies.map(() => ({ kind: 'call_contract', receiver: alice.address, amount: 1n })),
      );
    },
  },
  {
    name: 'a forged notification of a contract',
    async run(scenario) {
      const { alice, bob, mallory } = scenario.wallets;
      const [notification] = forgeries(7_000_000n, bob.address, 'you are rich');
      const value = toNano('0.02');
      await scenario.request(
        mallory,
        [call(relay.address, VALUE, relayBody([pay(alice.address, value, notification)]))],
        [transferred(relay.address, VALUE)],
      );
    },
  },
  {
    name: 'an exchange of jettons',
    async run(scenario, random) {
      const { alice } = scenario.wallets;
      const [given, taken] = [someGold(random), someGold(random)];
      const answer = call(
        scenario.silverOf(relay.address),
        VALUE,
        jettonTransfer({
          to: alice.address,
          amount: taken,
          response: alice.address,
          forwardValue: toNano('0.01'),
        }),
      );
      const body = jettonTransfer({
        to: relay.address,
        amount: given,
        response: alice.address,
        forwardValue: toNano('0.3'),
        payload: relayed(answer),
      });
      await scenario.request(
        alice,
        [call(scenario.goldOf(alice.address), toNano('0.5'), body)],
        [
          {
            kind: 'jetton_swap',
            receiver: relay.address,
            asset: gold(scenario),
            amount: given,
            received: {
              asset: { type: 'jetton', master: scenario.silver.address.toRawString() },
              amount: taken,
            },
          },
        ],
      );
    },
  },
];

const others: readonly Kind[] = [
  {
    name: 'an NFT transfer',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      const forwarded = toNano('0.05');
      const notification = pay(bob.address, forwarded, ownershipAssigned(alice.address, 'a picture'));
      await scenario.request(
        alice,
        [call(relay.address, VALUE, nftTransfer(bob.address, notification))],
        [
          {
            kind: 'nft_transfer',
            receiver: bob.address,
            asset: { type: 'nft', address: relay.address.toRawString() },
            amount: 1n,
            forwarded,
          },
        ],
      );
    },
  },
  {
    name: 'a stake that the pool takes',
    async run(scenario) {
      await scenario.request(
        scenario.wallets.alice,
        [call(vault().address, VALUE, stakeDeposit())],
        [{ kind: 'stake_deposit', receiver: vault().address, amount: VALUE }],
      );
    },
  },
  {
    name: 'a stake that the pool refuses',
    async run(scenario) {
      await scenario.request(
        scenario.wallets.bob,
        [call(thrower.address, VALUE, stakeDeposit())],
        [{ kind: 'stake_deposit', status: 'failed', receiver: thrower.address, amount: VALUE }],
      );
    },
  },
  {
    name: 'requests to withdraw a stake',
    async run(scenario) {
      const stake = toNano('12.5');
      await scenario.request(
        scenario.wallets.alice,
        [call(vault().address, VALUE, stakeWithdraw(stake)), call(vault().address, VALUE, stakeWithdraw(0n))],
        [stake, null].map(amount => ({
          kind: 'stake_withdrawal_request',
          receiver: vault().address,
          amount,
        })),
      );
    },
  },
  {
    name: 'a withdrawal of a stake that the pool pays at once',
    async run(scenario) {
      const { alice } = scenario.wallets;
      const paid = toNano('0.7');
      const answer = pay(alice.address, paid, plain(OP.stakeWithdrawResponse));
      await scenario.request(
        alice,
        [call(relay.address, VALUE, stakeWithdraw(toNano('0.5'), answer))],
        [{ kind: 'stake_withdrawal', receiver: relay.address, amount: paid - VALUE }],
      );
    },
  },
  {
    name: 'answers of a pool, and what is left of coins',
    async run(scenario) {
      const { alice, mallory } = scenario.wallets;
      const ops = [OP.stakeDepositResponse, OP.stakeWithdrawDelayed, OP.stakeWithdrawResponse, OP.excesses];
      await scenario.request(
        mallory,
        [call(relay.address, VALUE, relayBody(ops.map(op => pay(alice.address, 10n, plain(op)))))],
        [transferred(relay.address, VALUE)],
      );
    },
  },
  {
    name: 'a top-up of a card account, and a change of its limits',
    async run(scenario, random) {
      const value = VALUE + some(random);
      await scenario.request(
        scenario.wallets.alice,
        [
          call(vault().address, value, accountTopUp(toNano('0.1'))),
          call(vault().address, VALUE, accountLimitsChange(toNano(1), toNano('2.5'), 0n)),
        ],
        [
          { kind: 'call_contract', receiver: vault().address, amount: value },
          { kind: 'call_contract', receiver: vault().address, amount: VALUE },
        ],
      );
    },
  },
  {
    name: 'a call of a contract that returns a part of the value',
    async run(scenario) {
      const { bob } = scenario.wallets;
      const change = toNano('0.05');
      const body = relayBody([pay(bob.address, change, plain(OP.excesses))], 0x31415926);
      await scenario.request(
        bob,
        [call(relay.address, VALUE, body)],
        [{ kind: 'call_contract', receiver: relay.address, amount: VALUE - change }],
      );
    },
  },
  {
    name: 'a call that goes through several contracts',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      let body = relayBody([pay(bob.address, toNano('0.01'), 'through')]);
      for (let depth = 0; depth < 4; depth++)
        body = relayBody([pay((depth % 2 === 0 ? relay : strictRelay).address, toNano('0.1'), body)]);
      await scenario.request(alice, [call(relay.address, VALUE, body)], [transferred(relay.address, VALUE)]);
    },
  },
  {
    name: 'a call of a contract that emits an event',
    async run(scenario) {
      const body = relayBody([emitted(0xe0e0n)]);
      await scenario.request(
        scenario.wallets.bob,
        [call(relay.address, VALUE, body)],
        [transferred(relay.address, VALUE)],
      );
    },
  },
  {
    name: 'several requests of different kinds at once',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      const { message, part } = goldFrom(scenario, { amount: someGold(random), text: 'both' });
      await scenario.request(
        alice,
        [pay(bob.address, value), message, call(vault().address, VALUE, plain(0x27182818))],
        [
          transferred(bob.address, value),
          part,
          { kind: 'call_contract', receiver: vault().address, amount: VALUE },
        ],
      );
    },
  },
];

export const KINDS: readonly Kind[] = [...transfers, ...failures, ...lives, ...jettons, ...others];
