import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  SendTransactionError,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { devnetForTests, funded, rpc, sendSol, SOL } from '../../../test/devnet/solana';

const network = devnetForTests();

const transfer = (from: Keypair, to: PublicKey, lamports: number): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

const versioned = async (
  payer: Keypair,
  instructions: TransactionInstruction[],
  tables: AddressLookupTableAccount[] = [],
): Promise<VersionedTransaction> => {
  const { blockhash } = await network.connection().getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    instructions,
  }).compileToV0Message(tables);
  const transaction = new VersionedTransaction(message);
  transaction.sign([payer]);
  return transaction;
};

it('says who and where it is', async () => {
  const connection = network.connection();
  expect(await connection.getGenesisHash()).toBe(network.devnet.genesisHash);
  expect(await connection.getVersion()).toHaveProperty('solana-core');
  expect(await connection.getEpochInfo()).toMatchObject({ epoch: 0, slotsInEpoch: 432_000 });
  expect(await rpc(network.devnet.url, 'getHealth')).toMatchObject({ result: 'ok' });
  expect(await (await fetch(`${network.devnet.url}/health`)).text()).toBe('ok');
  expect(await connection.getFirstAvailableBlock()).toBe(0);
  expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280);
});

it('gives SOL from the faucet, and moves it, with the fee burnt', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet, 2), Keypair.generate()];
  const signature = await sendSol(connection, from, to, SOL);
  expect(await connection.getBalance(from.publicKey)).toBe(SOL - 5000);
  expect(await connection.getBalance(to.publicKey)).toBe(SOL);
  const { value } = await connection.getSignatureStatus(signature);
  expect(value).toMatchObject({ err: null, confirmationStatus: 'processed' });
});

it('shows balances, blockhashes and slots as of each commitment', async () => {
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  await network.devnet.hooks.advance(20);
  await sendSol(network.connection(), from, to, SOL);
  const balances = () =>
    Promise.all(
      (['processed', 'confirmed', 'finalized'] as const).map(each =>
        network.connection(each).getBalance(to.publicKey),
      ),
    );
  expect(await balances()).toEqual([SOL, 0, 0]);
  await network.devnet.hooks.advance(1);
  expect(await balances()).toEqual([SOL, SOL, 0]);
  await network.devnet.hooks.advance(7);
  expect(await balances()).toEqual([SOL, SOL, SOL]);

  const connection = network.connection();
  const processed = await connection.getSlot('processed');
  expect(await connection.getSlot('confirmed')).toBe(processed - 1);
  expect(await connection.getSlot('finalized')).toBe(processed - 8);
  expect(await connection.getBlockHeight('processed')).toBe(processed);
  const final = await connection.getLatestBlockhash('finalized');
  expect(final.lastValidBlockHeight).toBe(processed - 8 + 150);
  expect((await connection.isBlockhashValid(final.blockhash)).value).toBe(true);
});

it('gives a transaction with its meta, legacy and version 0', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const legacy = await sendSol(connection, from, to, SOL);
  const v0 = await connection.sendTransaction(await versioned(from, [transfer(from, to.publicKey, 5)]));
  await network.devnet.hooks.advance(1);

  const first = await connection.getTransaction(legacy, { maxSupportedTransactionVersion: 0 });
  expect(first).toMatchObject({
    version: 'legacy',
    meta: {
      err: null,
      fee: 5000,
      preBalances: [10 * SOL, 0, 1],
      postBalances: [9 * SOL - 5000, SOL, 1],
      logMessages: [
        'Program 11111111111111111111111111111111 invoke [1]',
        'Program 11111111111111111111111111111111 success',
      ],
      computeUnitsConsumed: 150,
    },
  });
  const second = await connection.getTransaction(v0, { maxSupportedTransactionVersion: 0 });
  expect(second?.version).toBe(0);
  await expect(connection.getTransaction(v0)).rejects.toMatchObject({ code: -32015 });

  const parsed = await connection.getParsedTransaction(v0, { maxSupportedTransactionVersion: 0 });
  expect(parsed?.transaction.message.instructions[0]).toMatchObject({
    program: 'system',
    parsed: {
      type: 'transfer',
      info: { source: from.publicKey.toBase58(), destination: to.publicKey.toBase58(), lamports: 5 },
    },
  });
});

it('confirms what it is sent, by sendAndConfirmTransaction', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const clock = setInterval(() => void network.devnet.hooks.advance(1), 20);
  const transaction = new Transaction().add(transfer(from, to.publicKey, SOL));
  const signature = await sendAndConfirmTransaction(connection, transaction, [from]);
  clearInterval(clock);
  expect(await connection.getBalance(to.publicKey)).toBe(SOL);
  const [status] = (await connection.getSignatureStatuses([signature])).value;
  expect(['confirmed', 'finalized']).toContain(status?.confirmationStatus);
});

it('refuses in preflight, with code, error and logs', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet, 1), Keypair.generate()];
  const refusal: unknown = await sendSol(connection, from, to, 2 * SOL).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(SendTransactionError);
  expect((refusal as SendTransactionError).logs?.join()).toMatch(/insufficient lamports/);

  const stale = new Transaction({ feePayer: from.publicKey, recentBlockhash: PublicKey.default.toBase58() });
  stale.add(transfer(from, to.publicKey, 5)).sign(from);
  const wire = stale.serialize().toString('base64');
  expect(await rpc(network.devnet.url, 'sendTransaction', [wire, { encoding: 'base64' }])).toMatchObject({
    error: { code: -32002, data: { err: 'BlockhashNotFound', logs: [] } },
  });
});

it('takes a transaction that fails, without preflight: it pays and is recorded with its error', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet, 1), Keypair.generate()];
  const transaction = new Transaction().add(transfer(from, to.publicKey, 2 * SOL));
  const signature = await connection.sendTransaction(transaction, [from], { skipPreflight: true });
  await network.devnet.hooks.advance(1);
  const recorded = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(recorded?.meta).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] }, fee: 5000 });
  expect(await connection.getBalance(from.publicKey)).toBe(SOL - 5000);
});

it('runs a transaction once, however often it is sent', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const wire = (await versioned(from, [transfer(from, to.publicKey, SOL)])).serialize();
  const signature = await connection.sendRawTransaction(wire);
  expect(await connection.sendRawTransaction(wire, { skipPreflight: true })).toBe(signature);
  await expect(connection.sendRawTransaction(wire)).rejects.toThrow(/already been processed/);
  await network.devnet.hooks.advance(30);
  expect(await connection.sendRawTransaction(wire, { skipPreflight: true })).toBe(signature);
  expect(await connection.getBalance(to.publicKey)).toBe(SOL);
});

it('lets a blockhash expire after 150 blocks', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const transaction = await versioned(from, [transfer(from, to.publicKey, 5)]);
  const { blockhash } = await connection.getLatestBlockhash();
  await network.devnet.hooks.advance(149);
  expect((await connection.isBlockhashValid(blockhash)).value).toBe(true);
  await network.devnet.hooks.advance(1);
  expect((await connection.isBlockhashValid(blockhash)).value).toBe(false);
  expect((await connection.getFeeForMessage(transaction.message)).value).toBeNull();
  await expect(connection.sendTransaction(transaction)).rejects.toThrow(/Blockhash not found/);
  await connection.sendTransaction(transaction, { skipPreflight: true });
  expect(await connection.getBalance(to.publicKey)).toBe(0);
});

it('says the fee beforehand that it takes, priority included', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  await network.devnet.hooks.advance(1);
  const instructions = [
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_234_567 }),
    ComputeBudgetProgram.setComputeUnitLimit({ units: 7_001 }),
    transfer(from, to.publicKey, SOL),
  ];
  const transaction = await versioned(from, instructions);
  const { value: fee } = await connection.getFeeForMessage(transaction.message);
  const signature = await connection.sendTransaction(transaction);
  await network.devnet.hooks.advance(1);
  const recorded = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(fee).toBe(5000 + Math.ceil((1_234_567 * 7_001) / 1_000_000));
  expect(recorded?.meta?.fee).toBe(fee);
  const fees = await connection.getRecentPrioritizationFees();
  expect(fees.at(-1)).toEqual({ slot: recorded?.slot, prioritizationFee: 1_234_567 });
});

it('simulates and forgets, with another blockhash and the accounts asked for', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const transaction = await versioned(from, [transfer(from, to.publicKey, SOL)]);
  await network.devnet.hooks.advance(200);
  expect((await connection.simulateTransaction(transaction)).value.err).toBe('BlockhashNotFound');
  const { value } = await connection.simulateTransaction(transaction, {
    replaceRecentBlockhash: true,
    accounts: { encoding: 'base64', addresses: [to.publicKey.toBase58()] },
  });
  expect(value).toMatchObject({ err: null, unitsConsumed: 150, accounts: [{ lamports: SOL }] });
  expect(value.replacementBlockhash?.blockhash).toBe((await connection.getLatestBlockhash()).blockhash);
  expect(await connection.getBalance(to.publicKey)).toBe(0);
});

it('loads addresses from a lookup table', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const authority = { authority: from.publicKey, payer: from.publicKey };
  await network.devnet.hooks.advance(2);
  const recentSlot = (await connection.getSlot('processed')) - 1;
  const [create, table] = AddressLookupTableProgram.createLookupTable({ ...authority, recentSlot });
  const addresses = [to.publicKey, Keypair.generate().publicKey];
  const extend = AddressLookupTableProgram.extendLookupTable({ ...authority, lookupTable: table, addresses });
  await connection.sendTransaction(await versioned(from, [create, extend]));
  await network.devnet.hooks.advance(1);

  const { value: account } = await connection.getAddressLookupTable(table);
  expect(account?.state.addresses).toEqual(addresses);
  const transaction = await versioned(from, [transfer(from, to.publicKey, SOL)], [account!]);
  const signature = await connection.sendTransaction(transaction);
  await network.devnet.hooks.advance(1);
  const recorded = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(recorded?.meta?.loadedAddresses?.writable).toEqual([to.publicKey]);
  expect(recorded?.meta?.postBalances.at(-1)).toBe(SOL);
  expect(await connection.getSignaturesForAddress(to.publicKey)).toMatchObject([{ signature }]);
  const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(parsed?.transaction.message.accountKeys.at(-1)).toMatchObject({
    pubkey: to.publicKey,
    source: 'lookupTable',
    writable: true,
  });
});

it('pages through the history of an account, newest first', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const sent: string[] = [];
  for (let amount = SOL; amount < SOL + 6; amount += 1) {
    sent.unshift(await sendSol(connection, from, to, amount));
    if (amount % 2 === 0) await network.devnet.hooks.advance(1);
  }
  await network.devnet.hooks.advance(1);
  const page = async (options: object): Promise<string[]> =>
    (await connection.getSignaturesForAddress(to.publicKey, options)).map(({ signature }) => signature);
  expect(await page({})).toEqual(sent);
  expect(await page({ limit: 2 })).toEqual(sent.slice(0, 2));
  expect(await page({ limit: 2, before: sent[1] })).toEqual(sent.slice(2, 4));
  expect(await page({ until: sent[4] })).toEqual(sent.slice(0, 4));
});

it('uses a durable nonce in place of a blockhash', async () => {
  const connection = network.connection();
  const [from, to, nonce] = [await funded(network.devnet), Keypair.generate(), Keypair.generate()];
  const lamports = await connection.getMinimumBalanceForRentExemption(80);
  const create = SystemProgram.createNonceAccount({
    fromPubkey: from.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: from.publicKey,
    lamports,
  });
  await connection.sendTransaction(create, [from, nonce]);
  const account = await connection.getNonce(nonce.publicKey);
  await network.devnet.hooks.advance(200);
  const advance = SystemProgram.nonceAdvance({
    noncePubkey: nonce.publicKey,
    authorizedPubkey: from.publicKey,
  });
  const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: account!.nonce });
  transaction.add(advance, transfer(from, to.publicKey, SOL)).sign(from);
  await connection.sendRawTransaction(transaction.serialize());
  expect(await connection.getBalance(to.publicKey)).toBe(SOL);
  expect((await connection.getNonce(nonce.publicKey))?.nonce).not.toBe(account!.nonce);
});
