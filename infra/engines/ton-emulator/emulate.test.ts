import { beginCell, Cell, Dictionary, external, SendMode, storeMessage, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV5R1 } from '@ton/ton';
import { defaultConfig } from '@ton/sandbox';
import { openTvm, type Tvm } from '../tvm/tvm';
import { emulate, jettonsAt, jettonWalletOf, type EmulationWork } from './emulate';
import { shardAccountOf } from './shard-account';
import { createTonEmulator } from './ton-emulator';

const keys = keyPairFromSeed(Buffer.alloc(32, 1));
const wallet = WalletContractV5R1.create({ publicKey: keys.publicKey, walletId: { networkGlobalId: -3 } });
const address = wallet.address.toRawString();
const boc = (cell: Cell): string => cell.toBoc().toString('base64');

let tvm: Tvm;
beforeAll(async () => void (tvm = await openTvm(() => undefined)));

function walletState(code: Cell) {
  const used = { cells: 20, bits: 5_000, publicCells: 0 };
  return {
    status: 'active',
    balance: toNano(1),
    code,
    data: wallet.init.data,
    currencies: {},
    lastTransaction: null,
    stateHash: null,
    storage: { lastPaid: 1_700_000_000, duePayment: null, used },
  } as const;
}

async function work(code: Cell, changed: Partial<EmulationWork> = {}): Promise<EmulationWork> {
  const body = await wallet.createTransfer({
    seqno: 0,
    secretKey: keys.secretKey,
    timeout: 2_000_000_000,
    messages: [],
    sendMode: SendMode.IGNORE_ERRORS,
  });
  return {
    message: boc(
      beginCell()
        .store(storeMessage(external({ to: wallet.address, body })))
        .endCell(),
    ),
    config: defaultConfig,
    methodConfig: defaultConfig,
    utime: 1_800_000_000,
    unsigned: [],
    balances: [],
    receivers: [],
    jettonWallets: [],
    libraries: null,
    accounts: {
      [address]: shardAccountOf(address, walletState(code)),
    },
    ...changed,
  };
}

/** What an account has in place of its code when that is a public library: TON's exotic cell of type 2. */
const libraryCell = new Cell({
  exotic: true,
  bits: beginCell().storeUint(2, 8).storeBuffer(wallet.init.code.hash()).endCell().bits,
});

it('names the account whose state it needs', async () => {
  const given = await work(wallet.init.code, { accounts: {} });
  expect(await emulate(tvm, given)).toEqual({ type: 'missing', address });
});

it('runs code that is a public library, if it is given', async () => {
  const known = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  known.set(wallet.init.code.hash(), wallet.init.code);
  const libraries = boc(beginCell().storeDictDirect(known).endCell());
  expect(await emulate(tvm, await work(wallet.init.code))).toMatchObject({ type: 'done' });
  expect(await emulate(tvm, await work(libraryCell))).toMatchObject({ type: 'impossible' });
  expect(await emulate(tvm, await work(libraryCell, { libraries }))).toMatchObject({ type: 'done' });
});

it('counts in a jetton wallet whose method reads the validators in the configuration', async () => {
  const all = Dictionary.loadDirect(
    Dictionary.Keys.Int(32),
    Dictionary.Values.Cell(),
    Cell.fromBase64(defaultConfig),
  );
  const state = walletState(readsParameter(34));
  const emulator = createTonEmulator({
    client: {
      getLastBlock: () => Promise.reject(new Error('not asked')),
      getAccount: () => Promise.resolve(state),
      getConfig: () => Promise.resolve(new Map(all)),
      getJettonWallet: () => Promise.reject(new Error('not asked')),
    },
    threads: {
      emulate: given => emulate(tvm, given),
      jettonsAt: given => jettonsAt(tvm, given),
      jettonWalletOf: given => jettonWalletOf(tvm, given),
    },
    now: Date.now,
  });
  expect(await emulator.jettonsIn(address, { seqno: 1, now: 1_800_000_000 })).toBe(5n);
});

/** `DROP id PUSHINT CONFIGPARAM 42 THROWIFNOT DROP 5 PUSHINT`, which returns 5 where the parameter is known. */
function readsParameter(id: number): Cell {
  const pushed = beginCell().storeUint(0x30, 8).storeUint(0x80, 8).storeInt(id, 8);
  return pushed.storeUint(0xf832f2aa, 32).storeUint(0x3075, 16).endCell();
}
