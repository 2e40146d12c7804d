import { Keypair, sendAndConfirmTransaction, Transaction } from '@solana/web3.js';
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

it('reports its identity, version and genesis', async () => {
  const connection = network.connection();
  expect(await connection.getGenesisHash()).toBe(network.devnet.genesisHash);
  expect(await connection.getVersion()).toHaveProperty('solana-core');
  expect(await connection.getEpochInfo()).toMatchObject({ epoch: 0, slotsInEpoch: 432_000 });
  expect(await rpc(network.devnet.url, 'getHealth')).toMatchObject({ result: 'ok' });
  expect(await (await fetch(`${network.devnet.url}/health`)).text()).toBe('ok');
  expect(await connection.getFirstAvailableBlock()).toBe(0);
  expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280);
});

it('sends SOL from the faucet and between accounts, with the fee burnt', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet, 2), Keypair.generate()];
  const signature = await sendSol(connection, from, to, SOL);
  expect(await connection.getBalance(from.publicKey)).toBe(SOL - 5000);
  expect(await connection.getBalance(to.publicKey)).toBe(SOL);
  const { value } = await connection.getSignatureStatus(signature);
  expect(value).toMatchObject({ err: null, confirmationStatus: 'processed' });
});

it('has balances, blockhashes and slots as of each commitment', async () => {
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

it('returns a transaction with its meta, legacy and version 0', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const legacy = await sendSol(connection, from, to, SOL);
  const v0 = await connection.sendTransaction(
    await versionedTransaction(network.connection(), from, [transfer(from, to.publicKey, 5)]),
  );
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

it('confirms transactions of sendAndConfirmTransaction', async () => {
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
