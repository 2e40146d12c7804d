import {
  type Account,
  Address,
  beginCell,
  Cell,
  Dictionary,
  getMethodId,
  loadMessage,
  loadShardAccount,
  loadTransactionDescription,
  parseTuple,
  type Message,
  type TransactionDescription,
  type TupleItem,
} from '@ton/core';
import {
  CannotEmulate,
  type Change,
  type EmulatedMessage,
  type EmulatedTransaction,
} from '../../../contracts/ports/ton-emulator';
import { NOT_RUN, type Tvm } from '../tvm/tvm';

/** Of a gasless transfer there are some ten. */
const MAX_TRANSACTIONS = 32;
const TAG_BITS = 4;
const HASH_BITS = 256;
const GET_WALLET_DATA = getMethodId('get_wallet_data');
const GET_WALLET_ADDRESS = getMethodId('get_wallet_address');

/** What the virtual machine knows of a network. Bags of cells are in base64, addresses raw. */
interface Surroundings {
  /** The configuration of the network. */
  readonly config: string;
  /** What get-methods nearly always need of it: the machine reads all that it is given again for each of them. */
  readonly methodConfig: string;
  /** Unix seconds. */
  readonly utime: number;
  /** Public libraries: a dictionary of cells by their hash; null for none. */
  readonly libraries: string | null;
}

/** A message, and all that the virtual machine needs to know. */
export interface EmulationWork extends Surroundings {
  readonly message: string;
  /** Accounts for which every signature counts as right. */
  readonly unsigned: readonly string[];
  /** `ShardAccount` by address. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Accounts whose coins are wanted. */
  readonly balances: readonly string[];
  /** Accounts of which is wanted what they receive. */
  readonly receivers: readonly string[];
  readonly jettonWallets: readonly string[];
}

/** A jetton wallet that is asked for its balance. */
export interface JettonWork extends Surroundings {
  readonly address: string;
  /** `ShardAccount`. */
  readonly account: string;
}

/** A jetton master that is asked for the wallet of an owner. */
export interface JettonWalletWork extends JettonWork {
  /** Raw. */
  readonly owner: string;
}

export type EmulationResult =
  | {
      readonly type: 'done';
      readonly transactions: readonly EmulatedTransaction[];
      readonly balances: Readonly<Record<string, Change>>;
      readonly jettons: Readonly<Record<string, Change>>;
    }
  /** It cannot be told without the state of this account. */
  | { readonly type: 'missing'; readonly address: string }
  | { readonly type: 'impossible'; readonly reason: string };

/** The same work has the same result. */
export async function emulate(machine: Tvm, work: EmulationWork): Promise<EmulationResult> {
  const tvm = withLibraries(machine, work.libraries);
  const accounts = new Map(Object.entries(work.accounts));
  try {
    const states = accountStates();
    const transactions = await execute(tvm, work, accounts, states);
    const balances: Record<string, Change> = {};
    for (const address of work.balances) {
      const after = states.coins(stateOf(accounts, address));
      balances[address] = { before: states.coins(work.accounts[address]!), after };
    }
    const jettons: Record<string, Change> = {};
    for (const address of work.jettonWallets) {
      const after = stateOf(accounts, address);
      jettons[address] = {
        before: await jettonsIn(tvm, work, { address, account: states.account(work.accounts[address]!) }),
        after: await jettonsIn(tvm, work, { address, account: states.account(after) }),
      };
    }
    return { type: 'done', transactions, balances, jettons };
  } catch (error) {
    if (error instanceof Missing) return { type: 'missing', address: error.address };
    if (error instanceof CannotEmulate) return { type: 'impossible', reason: error.message };
    throw error;
  }
}

/** Smallest units; 0 where there is no jetton wallet. */
export async function jettonsAt(machine: Tvm, { account, ...work }: JettonWork): Promise<bigint> {
  const tvm = withLibraries(machine, work.libraries);
  try {
    return await jettonsIn(tvm, work, { address: work.address, account: accountStates().account(account) });
  } catch (error) {
    if (error instanceof CannotEmulate) return 0n;
    throw error;
  }
}

/** Raw; null where there is no master, or it names none. */
export async function jettonWalletOf(machine: Tvm, work: JettonWalletWork): Promise<string | null> {
  const owner = beginCell().storeAddress(Address.parseRaw(work.owner)).endCell();
  const account = accountStates().account(work.account);
  const called = { address: work.address, account, methodId: GET_WALLET_ADDRESS };
  const tvm = withLibraries(machine, work.libraries);
  const { returned } = await runMethod(tvm, work, { ...called, stack: [{ type: 'slice', cell: owner }] });
  if (returned?.type !== 'slice') return null;
  return returned.cell.beginParse().loadMaybeAddress()?.toRawString() ?? null;
}

function withLibraries(tvm: Tvm, boc: string | null): Tvm {
  if (boc === null) return tvm;
  const libraries = Cell.fromBase64(boc);
  return {
    transact: call => tvm.transact({ ...call, libraries }),
    runGetMethod: call => tvm.runGetMethod({ ...call, libraries }),
  };
}

class Missing extends Error {
  override readonly name = 'Missing';
  constructor(readonly address: string) {
    super(`the state of ${address} is needed`);
  }
}

function stateOf(accounts: ReadonlyMap<string, string>, address: string): string {
  const state = accounts.get(address);
  if (state === undefined) throw new Missing(address);
  return state;
}

interface Sent {
  readonly cell: Cell;
  readonly message: EmulatedMessage;
}

interface Queued extends Sent {
  readonly parent: number | null;
}

/** Breadth first, as the network does: a message that was sent before arrives before. */
async function execute(
  tvm: Tvm,
  { message: root, config, utime, unsigned, receivers }: EmulationWork,
  accounts: Map<string, string>,
  { coins }: AccountStates,
): Promise<EmulatedTransaction[]> {
  const transactions: EmulatedTransaction[] = [];
  const queue: Queued[] = [{ ...readMessage(Cell.fromBase64(root)), parent: null }];
  let lt = 0n;
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (transactions.length === MAX_TRANSACTIONS)
      throw new CannotEmulate(`more than ${MAX_TRANSACTIONS} transactions follow`);
    const { cell, message, parent } = next;
    const { destination } = message;
    const before = stateOf(accounts, destination);
    const outcome = await tvm.transact({
      config,
      utime,
      message: cell,
      lt,
      seed: Buffer.alloc(32),
      shardAccount: before,
      ignoreSignatures: unsigned.includes(destination),
    });
    if (!outcome.done) throw new CannotEmulate(`${destination}: ${outcome.reason}`);
    accounts.set(destination, outcome.shardAccount);
    const { nextLt, sent, description } = readTransaction(outcome.transaction);
    const index = transactions.length;
    queue.push(...sent.map(out => ({ ...out, parent: index })));
    transactions.push({
      account: destination,
      parent,
      message,
      ...resultOf(description),
      received: receivers.includes(destination) ? coins(outcome.shardAccount) - coins(before) : null,
      sent: sent.map(({ message: out }) => out),
    });
    lt = nextLt;
  }
  return transactions;
}

interface ReadTransaction {
  /** Lowest logical time of what follows. */
  readonly nextLt: bigint;
  /** Internal messages, as the original cells: one that is read and written again may have another hash. */
  readonly sent: readonly Sent[];
  readonly description: TransactionDescription;
}

/** Of a `Transaction` (block.tlb) no more than is needed: its messages are read once each, where they are sent. */
function readTransaction(boc: string): ReadTransaction {
  const transaction = Cell.fromBase64(boc);
  const slice = transaction.beginParse();
  slice.skip(TAG_BITS + HASH_BITS);
  const lt = slice.loadUintBig(64);
  slice.skip(HASH_BITS + 64 + 32);
  const outMessages = slice.loadUintBig(15);
  const messages = transaction.refs[0]!.beginParse();
  messages.loadMaybeRef();
  const out = messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  return {
    nextLt: lt + outMessages + 1n,
    sent: out.values().flatMap(cell => (cell.beginParse().preloadBit() ? [] : readMessage(cell))),
    description: loadTransactionDescription(transaction.refs.at(-1)!.beginParse()),
  };
}

function readMessage(cell: Cell): Sent {
  const { info, body }: Message = loadMessage(cell.beginParse());
  if (info.type === 'external-out') throw new CannotEmulate('the message is to nobody');
  const destination = info.dest.toRawString();
  const read = { destination, bodyHash: body.hash().toString('hex'), op: opOf(body) };
  if (info.type === 'external-in')
    return { cell, message: { ...read, source: null, value: 0n, bounced: false } };
  const { src, value, bounced } = info;
  return { cell, message: { ...read, source: src.toRawString(), value: value.coins, bounced } };
}

const opOf = (body: Cell): number | null =>
  body.bits.length < 32 ? null : body.beginParse().preloadUint(32);

function resultOf(description: TransactionDescription): Pick<EmulatedTransaction, 'succeeded' | 'exitCode'> {
  if (description.type !== 'generic') throw new CannotEmulate(`a ${description.type} transaction`);
  const { computePhase: compute, actionPhase: action, aborted } = description;
  if (compute.type === 'skipped') return { succeeded: false, exitCode: null };
  const areActionsDone = !action || (action.success && action.skippedActions === 0);
  return { succeeded: !aborted && compute.success && areActionsDone, exitCode: compute.exitCode };
}

interface AccountStates {
  /** Of a `ShardAccount`; null where it has none. */
  account(shardAccount: string): Account | null;
  /** Nanotons. */
  coins(shardAccount: string): bigint;
}

/** Each state is read once: that hashes all of its cells, and takes longer than some transactions. */
function accountStates(): AccountStates {
  const read = new Map<string, Account | null>();
  const account = (shardAccount: string): Account | null => {
    const known = read.get(shardAccount);
    if (known !== undefined) return known;
    const found = loadShardAccount(Cell.fromBase64(shardAccount).beginParse()).account ?? null;
    read.set(shardAccount, found);
    return found;
  };
  return { account, coins: shardAccount => account(shardAccount)?.storage.balance.coins ?? 0n };
}

/** `get_wallet_data` returns the balance first. @throws CannotEmulate when it does not */
async function jettonsIn(
  tvm: Tvm,
  surroundings: Surroundings,
  { address, account }: Pick<CalledMethod, 'address' | 'account'>,
): Promise<bigint> {
  if (account?.storage.state.type !== 'active') return 0n;
  const called = { address, account, methodId: GET_WALLET_DATA, stack: [] };
  const { exitCode, returned } = await runMethod(tvm, surroundings, called);
  if (returned?.type !== 'int')
    throw new CannotEmulate(`${address} is no jetton wallet (exit code ${exitCode})`);
  return returned.value;
}

interface CalledMethod {
  /** Raw. */
  readonly address: string;
  readonly account: Account | null;
  readonly methodId: number;
  readonly stack: TupleItem[];
}

/** `returned` is the first that it returns, if it returns anything. */
async function runMethod(
  tvm: Tvm,
  { config, methodConfig, utime }: Surroundings,
  { address, account, methodId, stack: given }: CalledMethod,
): Promise<{ readonly exitCode: number; readonly returned: TupleItem | undefined }> {
  if (account?.storage.state.type !== 'active') return { exitCode: NOT_RUN, returned: undefined };
  const { code, data } = account.storage.state.state;
  const call = {
    config,
    utime,
    methodId,
    address: Address.parseRaw(address),
    stack: given,
    extraCurrency: {},
    code: code ?? Cell.EMPTY,
    data: data ?? Cell.EMPTY,
    balance: account.storage.balance.coins,
  };
  const quick = await tvm.runGetMethod({ ...call, config: methodConfig });
  const { exitCode, stack } = quick.stack === null ? await tvm.runGetMethod(call) : quick;
  return { exitCode, returned: stack === null ? undefined : parseTuple(Cell.fromBase64(stack))[0] };
}
