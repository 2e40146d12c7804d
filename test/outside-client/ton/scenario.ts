import { internal, toNano, type Address, type Cell, type MessageRelaxed, type Transaction } from '@ton/core';
import { JettonMaster } from '@ton/ton';
import { jettonMaster } from '../../../infra/devnet/ton/jetton/jetton';
import { jettonMint } from './bodies';
import { relay, strictRelay, thrower, vault } from './contracts';
import { connect, type Node } from './node';
import { readActions } from './history';
import {
  createWallet,
  deliver,
  externalMessage,
  sign,
  type Order,
  type SignedRequest,
  type Wallet,
} from './wallet';

/** Raw addresses. */
export type Asset =
  | { readonly type: 'ton' }
  | { readonly type: 'jetton'; readonly master: string }
  | { readonly type: 'nft'; readonly address: string };

export const TON: Asset = { type: 'ton' };

/** What must become of one requested message, in the words of the interface. */
export interface Part {
  readonly kind: string;
  /** Default: success. */
  readonly status?: 'failed';
  readonly receiver: Address | null;
  /** Default: TON. */
  readonly asset?: Asset | null;
  /** `all`: whatever value the network sent. */
  readonly amount: bigint | 'all' | null;
  readonly comment?: string;
  readonly forwarded?: bigint;
  readonly received?: { readonly asset: Asset; readonly amount: bigint };
  /** Failed, and its value stayed where it was sent. */
  readonly isLost?: boolean;
}

export interface Request extends Omit<SignedRequest, 'block'> {
  readonly parts: readonly Part[];
}

const WALLETS = { alice: 'v5', bob: 'v4', carol: 'v5', mallory: 'v5' } as const;
type Name = keyof typeof WALLETS;

/** A call of a wallet with a body, and what it is. */
export function carrying(wallet: Wallet, body: Cell): [MessageRelaxed[], Part[]] {
  const value = toNano('0.3');
  return [
    [internal({ to: wallet.address, value, body })],
    [{ kind: 'call_contract', receiver: wallet.address, amount: value }],
  ];
}

const FUNDS = toNano(10_000);
const JETTONS = 1_000_000_000n;

/** An outside client with some wallets and contracts, and what it has asked of the network so far. */
export class Scenario {
  readonly requests: Request[] = [];
  readonly wallets: Readonly<Record<Name, Wallet>>;
  readonly gold: ReturnType<typeof jettonMaster>;
  readonly silver: ReturnType<typeof jettonMaster>;
  readonly #jettonWallets = new Map<string, { readonly master: string; readonly owner: string }>();
  readonly #addresses = new Map<string, Address>();

  /** Raw addresses of the accounts that the program was asked for before their first transaction. */
  readonly followed = new Set<string>();

  /**
   * @param node of the current run of the program
   * @param url of the program
   */
  constructor(
    public node: Node,
    public url: string,
  ) {
    const entries = Object.entries(WALLETS).map(([name, version]) => [name, createWallet(version, node)]);
    this.wallets = Object.fromEntries(entries) as Record<Name, Wallet>;
    const admin = this.wallets.alice.address;
    const metadata = (name: string) => ({ name, symbol: name, decimals: 9, description: '', image: '' });
    this.gold = jettonMaster(admin, metadata('GOLD'));
    this.silver = jettonMaster(admin, metadata('SILVER'));
  }

  friendly(raw: Address): string {
    return raw.toString({ testOnly: this.node.isTestnet });
  }

  /** Continues with another run of the program. */
  async reconnect(url: string): Promise<void> {
    this.url = url;
    this.node = await connect(url, this.node.network);
  }

  /** Reads the history of an account, which the program follows from then on. */
  async follow(address: Address): Promise<void> {
    const account = { url: this.url, address: this.friendly(address), network: this.node.network };
    while (!(await readActions(account, 1)).complete);
    this.followed.add(address.toRawString());
  }

  /** Funds the wallets, deploys the contracts and mints. Alice, bob and mallory are deployed then; carol is not. */
  async prepare(): Promise<void> {
    const { alice, bob, mallory } = this.wallets;
    for (const { address } of [alice, bob, mallory]) await this.node.grant(address, FUNDS);
    await this.request(
      alice,
      [vault(), relay, strictRelay, thrower].map(({ address, init }) =>
        internal({ to: address, value: toNano(20), bounce: false, init }),
      ),
      [vault(), relay, strictRelay, thrower].map(({ address: receiver }) => ({
        kind: 'contract_deploy',
        receiver,
        amount: toNano(20),
      })),
    );
    for (const [master, owner] of [
      [this.gold, alice.address],
      [this.silver, relay.address],
    ] as const)
      await this.request(
        alice,
        [
          internal({
            to: master.address,
            value: toNano('0.5'),
            init: master.init,
            body: jettonMint(owner, JETTONS, toNano('0.3'), toNano('0.01')),
          }),
        ],
        [
          {
            kind: 'jetton_mint',
            receiver: owner,
            asset: { type: 'jetton', master: master.address.toRawString() },
            amount: JETTONS,
          },
        ],
      );
    for (const { address } of [alice, bob, mallory, this.wallets.carol, relay]) await this.#learn(address);
  }

  /** Asks the masters for the jetton wallets of an owner. */
  async #learn(owner: Address): Promise<void> {
    for (const { address: master } of [this.gold, this.silver]) {
      const wallet = await this.node.client.open(JettonMaster.create(master)).getWalletAddress(owner);
      this.#addresses.set(`${master}/${owner}`, wallet);
      this.#jettonWallets.set(wallet.toRawString(), {
        master: master.toRawString(),
        owner: owner.toRawString(),
      });
    }
  }

  goldOf(owner: Address): Address {
    return this.#addresses.get(`${this.gold.address}/${owner}`)!;
  }

  silverOf(owner: Address): Address {
    return this.#addresses.get(`${this.silver.address}/${owner}`)!;
  }

  /** Whose jettons an address (raw) holds, as the master says. */
  get jettonWallets(): ReadonlyMap<string, { readonly master: string; readonly owner: string }> {
    return this.#jettonWallets;
  }

  /** Has a wallet send messages. Resolves with its transaction. */
  async request(
    wallet: Wallet,
    messages: readonly MessageRelaxed[],
    parts: readonly Part[],
    order: Omit<Order, 'messages'> = {},
  ): Promise<Transaction> {
    const signed = await sign(this.node, wallet, { messages, ...order });
    this.requests.push({ ...signed, parts });
    return deliver(this.node, wallet.address, signed);
  }

  /** Has a wallet sign a request that another one relays (gasless). Resolves with the transaction of the relayer. */
  async relay(relayer: Wallet, wallet: Wallet, order: Order, parts: readonly Part[]): Promise<Transaction> {
    const signed = await sign(this.node, wallet, order);
    this.requests.push({ ...signed, parts });
    return this.request(relayer, ...carrying(wallet, signed.body));
  }

  /** Expects what a wallet does when somebody whom it has allowed to sends it a body. */
  expectOf(wallet: Wallet, body: Cell, messages: readonly MessageRelaxed[], parts: readonly Part[]): void {
    this.requests.push({ wallet, seqno: null, messages, body, message: body, parts });
  }

  /** An external message to a contract that is no wallet. */
  async knock(to: Address, body: Cell): Promise<Transaction> {
    return deliver(this.node, to, {
      message: externalMessage(to, body),
      body,
      block: await this.node.tip(),
    });
  }
}
