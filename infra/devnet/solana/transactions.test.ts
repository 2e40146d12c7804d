import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import {
  devnetForTests,
  funded,
  rpc,
  sendSol,
  SOL,
  transfer,
  versionedTransaction,
} from '../../../test/devnet/solana';

const network = devnetForTests();

it('rejects in preflight, with code, error and logs', async () => {
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

it('records a failing transaction without preflight, with its fee and error', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet, 1), Keypair.generate()];
  const transaction = new Transaction().add(transfer(from, to.publicKey, 2 * SOL));
  const signature = await connection.sendTransaction(transaction, [from], { skipPreflight: true });
  await network.devnet.hooks.advance(1);
  const recorded = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(recorded?.meta).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] }, fee: 5000 });
  expect(await connection.getBalance(from.publicKey)).toBe(SOL - 5000);
});

it('runs a transaction once when it is sent several times', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const wire = (
    await versionedTransaction(network.connection(), from, [transfer(from, to.publicKey, SOL)])
  ).serialize();
  const signature = await connection.sendRawTransaction(wire);
  expect(await connection.sendRawTransaction(wire, { skipPreflight: true })).toBe(signature);
  await expect(connection.sendRawTransaction(wire)).rejects.toThrow(/already been processed/);
  await network.devnet.hooks.advance(30);
  expect(await connection.sendRawTransaction(wire, { skipPreflight: true })).toBe(signature);
  expect(await connection.getBalance(to.publicKey)).toBe(SOL);
});

it('rejects a blockhash after 150 blocks', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const transaction = await versionedTransaction(network.connection(), from, [
    transfer(from, to.publicKey, 5),
  ]);
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

it('reports the fee in advance, including priority', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  await network.devnet.hooks.advance(1);
  const instructions = [
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_234_567 }),
    ComputeBudgetProgram.setComputeUnitLimit({ units: 7_001 }),
    transfer(from, to.publicKey, SOL),
  ];
  const transaction = await versionedTransaction(network.connection(), from, instructions);
  const { value: fee } = await connection.getFeeForMessage(transaction.message);
  const signature = await connection.sendTransaction(transaction);
  await network.devnet.hooks.advance(1);
  const recorded = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(fee).toBe(5000 + Math.ceil((1_234_567 * 7_001) / 1_000_000));
  expect(recorded?.meta?.fee).toBe(fee);
  const fees = await connection.getRecentPrioritizationFees();
  expect(fees.at(-1)).toEqual({ slot: recorded?.slot, prioritizationFee: 1_234_567 });
});

it('simulates without recording, with a replaced blockhash and the requested accounts', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const transaction = await versionedTransaction(network.connection(), from, [
    transfer(from, to.publicKey, SOL),
  ]);
  await network.devnet.hooks.advance(200);
  expect((await connection.simulateTransaction(transaction)).value.err).toBe('BlockhashNotFound');
  const { value } = await connection.simulateTransaction(transaction, {
    replaceRecentBlockhash: true,
    accounts: { encoding: 'base64', addresses: [to.publicKey.toBase58()] },
  });
  expect(value).toMatchObject({ err: null, unitsConsumed: 150, accounts: [{ lamports: SOL }] });
  const { blockhash } = await connection.getLatestBlockhash();
  expect(value).toMatchObject({ replacementBlockhash: { blockhash } });
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
  await connection.sendTransaction(await versionedTransaction(network.connection(), from, [create, extend]));
  await network.devnet.hooks.advance(1);

  const { value: account } = await connection.getAddressLookupTable(table);
  expect(account?.state.addresses).toEqual(addresses);
  const transaction = await versionedTransaction(
    network.connection(),
    from,
    [transfer(from, to.publicKey, SOL)],
    [account!],
  );
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
