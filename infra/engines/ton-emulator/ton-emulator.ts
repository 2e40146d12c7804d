import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  getMethodId,
  loadMessage,
  loadShardAccount,
  loadTransaction,
  parseTuple,
  type Message,
  type Transaction,
} from '@ton/core';
import type { TonClient } from '../../../contracts/ports/ton-client';
import {
  CannotEmulate,
  type EmulatedMessage,
  type EmulatedTransaction,
  type Emulation,
  type TonEmulator,
} from '../../../contracts/ports/ton-emulator';
import { NO_ACCOUNT, shardAccountOf } from './shard-account';
import type { Tvm } from '../tvm/tvm';

/** Of a gasless transfer there are some ten. */
const MAX_TRANSACTIONS = 32;
/** A change of the network's configuration is known after so long. */
const CONFIG_MS = 60_000;

export interface TonEmulatorDeps {
  readonly client: Pick<TonClient, 'getLastBlock' | 'getAccount' | 'getAccountLite' | 'getConfig'>;
  readonly tvm: Tvm;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Runs the virtual machine on states that the nodes of a network tell. */
export function createTonEmulator({ client, tvm, now }: TonEmulatorDeps): TonEmulator {
  const configAt = cachedConfig(client, now);
  return {
    async emulate(message, { unsigned, block, expected = [] }) {
      const { seqno, now: utime } = block ?? (await client.getLastBlock());
      const accounts = createAccounts(readAhead(expected, address => accountAt(client, seqno, address)));
      const run = { config: await configAt(seqno), utime, tvm, unsigned };
      const transactions = await execute(message, run, accounts);
      return emulationOf(transactions, run, accounts);
    },
  };
}

interface Run {
  readonly config: string;
  readonly utime: number;
  readonly tvm: Tvm;
  readonly unsigned: readonly string[];
}

async function accountAt(client: TonEmulatorDeps['client'], seqno: number, address: string): Promise<string> {
  const [state, lite] = await Promise.all([
    client.getAccount(seqno, address),
    client.getAccountLite(seqno, address),
  ]);
  return shardAccountOf(address, state, lite);
}

/** Reads what is expected at once, and the rest when it is asked for. */
function readAhead<Value>(expected: readonly string[], read: (key: string) => Promise<Value>) {
  const reading = new Map([...new Set(expected)].map(key => [key, read(key)]));
  // It fails for who asks for it.
  for (const each of reading.values()) each.catch(() => undefined);
  return (key: string): Promise<Value> => reading.get(key) ?? read(key);
}

/** The whole configuration as a bag of cells in base64: the virtual machine is prepared again for another one. */
function cachedConfig({ getConfig }: TonEmulatorDeps['client'], now: () => number) {
  let cached: { readonly readAt: number; readonly boc: Promise<string> } | null = null;
  return (seqno: number): Promise<string> => {
    if (cached && now() - cached.readAt < CONFIG_MS) return cached.boc;
    const reading = { readAt: now(), boc: getConfig(seqno).then(configBoc) };
    cached = reading;
    reading.boc.catch(() => {
      if (cached === reading) cached = null;
    });
    return reading.boc;
  };
}

function configBoc(parameters: ReadonlyMap<number, Cell>): string {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [id, parameter] of parameters) dictionary.set(id, parameter);
  return beginCell().storeDictDirect(dictionary).endCell().toBoc({ idx: false }).toString('base64');
}

/** The accounts that an emulation has read, before and after. */
interface Accounts {
  now(address: string): Promise<string>;
  change(address: string, shardAccount: string): void;
  /** As they were; what was not read has not changed. */
  both(address: string): { readonly before: string; readonly after: string } | null;
}

function createAccounts(read: (address: string) => Promise<string>): Accounts {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  return {
    async now(address) {
      const known = after.get(address);
      if (known !== undefined) return known;
      const state = await read(address);
      before.set(address, state);
      after.set(address, state);
      return state;
    },
    change: (address, shardAccount) => void after.set(address, shardAccount),
    both(address) {
      const then = before.get(address);
      return then === undefined ? null : { before: then, after: after.get(address)! };
    },
  };
}

interface Queued {
  readonly cell: Cell;
  readonly parent: number | null;
}

/** Breadth first, as the network does: a message that was sent before arrives before. */
async function execute(root: Cell, run: Run, accounts: Accounts): Promise<EmulatedTransaction[]> {
  const transactions: EmulatedTransaction[] = [];
  const queue: Queued[] = [{ cell: root, parent: null }];
  let lt = 0n;
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (transactions.length === MAX_TRANSACTIONS)
      throw new CannotEmulate(`more than ${MAX_TRANSACTIONS} transactions follow`);
    const { cell, parent } = next;
    const message = readMessage(cell);
    const { destination } = message;
    const before = await accounts.now(destination);
    const outcome = await run.tvm.transact({
      ...{ config: run.config, utime: run.utime, message: cell, lt, seed: Buffer.alloc(32) },
      shardAccount: before,
      ignoreSignatures: run.unsigned.includes(destination),
    });
    if (!outcome.done) throw new CannotEmulate(`${destination}: ${outcome.reason}`);
    accounts.change(destination, outcome.shardAccount);
    const transaction = loadTransaction(Cell.fromBase64(outcome.transaction).beginParse());
    const index = transactions.length;
    const sent = internalCells(outcome.transaction);
    queue.push(...sent.map(out => ({ cell: out, parent: index })));
    transactions.push({
      ...{ account: destination, parent, message },
      ...resultOf(transaction),
      received: coinsIn(outcome.shardAccount) - coinsIn(before),
      sent: sent.map(readMessage),
    });
    lt = transaction.lt + BigInt(transaction.outMessagesCount) + 1n;
  }
  return transactions;
}

/** The original cells: what a message becomes when it is read and written again may have another hash. */
function internalCells(transaction: string): Cell[] {
  const messages = Cell.fromBase64(transaction).beginParse().loadRef().beginParse();
  messages.loadMaybeRef();
  const sent = messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  return [...sent.values()].filter(cell => !cell.beginParse().loadBit());
}

function readMessage(cell: Cell): EmulatedMessage {
  const { info, body }: Message = loadMessage(cell.beginParse());
  if (info.type === 'external-out') throw new CannotEmulate('the message is to nobody');
  const destination = info.dest.toRawString();
  if (info.type === 'external-in') return { source: null, destination, value: 0n, bounced: false, body };
  const { src, value, bounced } = info;
  return { source: src.toRawString(), destination, value: value.coins, bounced, body };
}

function resultOf({ description }: Transaction): Pick<EmulatedTransaction, 'succeeded' | 'exitCode'> {
  if (description.type !== 'generic') throw new CannotEmulate(`a ${description.type} transaction`);
  const { computePhase: compute, actionPhase: action, aborted } = description;
  if (compute.type === 'skipped') return { succeeded: false, exitCode: null };
  const areActionsDone = !action || (action.success && action.skippedActions === 0);
  return { succeeded: !aborted && compute.success && areActionsDone, exitCode: compute.exitCode };
}

function emulationOf(transactions: readonly EmulatedTransaction[], run: Run, accounts: Accounts): Emulation {
  return {
    utime: run.utime,
    transactions,
    balanceOf(address) {
      const states = accounts.both(address) ?? { before: NO_ACCOUNT, after: NO_ACCOUNT };
      return { before: coinsIn(states.before), after: coinsIn(states.after) };
    },
    async jettonsOf(address) {
      await accounts.now(address);
      const { before, after } = accounts.both(address)!;
      return { before: await jettonsIn(address, before, run), after: await jettonsIn(address, after, run) };
    },
  };
}

const accountIn = (shardAccount: string) =>
  loadShardAccount(Cell.fromBase64(shardAccount).beginParse()).account;

const coinsIn = (shardAccount: string): bigint => accountIn(shardAccount)?.storage.balance.coins ?? 0n;

/** `get_wallet_data` returns the balance first. @throws CannotEmulate when it does not */
async function jettonsIn(
  address: string,
  shardAccount: string,
  { config, utime, tvm }: Run,
): Promise<bigint> {
  const account = accountIn(shardAccount);
  if (account?.storage.state.type !== 'active') return 0n;
  const { code, data } = account.storage.state.state;
  const { exitCode, stack } = await tvm.runGetMethod({
    ...{ config, utime, address: Address.parseRaw(address), stack: [], extraCurrency: {} },
    code: code ?? Cell.EMPTY,
    data: data ?? Cell.EMPTY,
    balance: account.storage.balance.coins,
    methodId: getMethodId('get_wallet_data'),
  });
  const balance = stack === null ? undefined : parseTuple(Cell.fromBase64(stack))[0];
  if (balance?.type !== 'int')
    throw new CannotEmulate(`${address} is no jetton wallet (exit code ${exitCode})`);
  return balance.value;
}
