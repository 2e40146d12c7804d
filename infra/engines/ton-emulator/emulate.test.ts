import { beginCell, Cell, Dictionary, external, SendMode, storeMessage, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV5R1 } from '@ton/ton';
import { defaultConfig } from '@ton/sandbox';
import { openTvm, type Tvm } from '../tvm/tvm';
import { emulate, type EmulationWork } from './emulate';
import { shardAccountOf } from './shard-account';

const keys = keyPairFromSeed(Buffer.alloc(32, 1));
const wallet = WalletContractV5R1.create({ publicKey: keys.publicKey, walletId: { networkGlobalId: -3 } });
const address = wallet.address.toRawString();
const boc = (cell: Cell): string => cell.toBoc().toString('base64');

let tvm: Tvm;
beforeAll(async () => void (tvm = await openTvm(() => undefined)));

async function work(code: Cell, changed: Partial<EmulationWork> = {}): Promise<EmulationWork> {
  const body = await wallet.createTransfer({
    seqno: 0,
    secretKey: keys.secretKey,
    timeout: 2_000_000_000,
    messages: [],
    sendMode: SendMode.IGNORE_ERRORS,
  });
  const used = { cells: 20, bits: 5_000, publicCells: 0 };
  const state = {
    status: 'active',
    balance: toNano(1),
    code,
    data: wallet.init.data,
    currencies: {},
    lastTransaction: null,
    stateHash: null,
    storage: { lastPaid: 1_700_000_000, duePayment: null, used },
  } as const;
  return {
    message: boc(
      beginCell()
        .store(storeMessage(external({ to: wallet.address, body })))
        .endCell(),
    ),
    config: defaultConfig,
    utime: 1_800_000_000,
    unsigned: [],
    balances: [],
    receivers: [],
    jettonWallets: [],
    libraries: null,
    accounts: {
      [address]: shardAccountOf(address, state),
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
