import {
  comment,
  contractAddress,
  Dictionary,
  internal,
  loadSimpleLibrary,
  SendMode,
  storeSimpleLibrary,
  toNano,
  type DictionaryValue,
  type SimpleLibrary,
} from '@ton/core';
import { vault } from '../contracts';
import type { Part } from '../scenario';
import { createWallet } from '../wallet';
import type { Kind } from './kind';
import { call, pay, some, transferred, VALUE } from './messages';

/** As the client reads and writes libraries; it does not export its own. */
const librarySpec: DictionaryValue<SimpleLibrary> = {
  serialize: (library, builder) => void storeSimpleLibrary(library)(builder),
  parse: slice => loadSimpleLibrary(slice),
};

/** Accounts that are created, deployed, deleted and deployed again. */
export const ACCOUNT_LIFECYCLE: readonly Kind[] = [
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
