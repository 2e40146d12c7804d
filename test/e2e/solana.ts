import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import { Connection, Keypair, SystemProgram, Transaction, type PublicKey } from '@solana/web3.js';
import { Address } from '@ton/core';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { HistoryItem } from '../../contracts/http/history/history';
import { callUntilReady } from './client';
import type { Installation } from './installation';
import { until } from '../until';

const nobody = new Address(0, Buffer.alloc(32)).toString();

const SOL = 1_000_000_000;

export function solana(main: Installation): void {
  /** The history of a Solana account. */
  async function history(address: string): Promise<HistoryItem[]> {
    const { status, body } = await callUntilReady(main.program.url, 'POST', '/transactions/v3', {
      body: {
        account: { tonAddress: nobody, solanaAddress: address },
        network: 'mainnet',
        cursor: {},
        limit: 100,
      },
    });
    expect(status).toBe(200);
    return (body as { data: HistoryItem[] }).data;
  }

  const payer = Keypair.generate();
  const payee = Keypair.generate();
  let connection: Connection;
  let spl: typeof Spl;

  async function landed(signature: string): Promise<string> {
    await until(
      async () => (await connection.getSignatureStatus(signature)).value?.confirmationStatus,
      status => status === 'confirmed' || status === 'finalized',
    );
    return signature;
  }
  const submit = async (transaction: Transaction, signers: Keypair[]): Promise<string> =>
    landed(await connection.sendTransaction(transaction, signers));

  beforeAll(async () => {
    spl = await import('@solana/spl-token');
    const { solana } = await main.places();
    const { endpoint, websocket } = solana.find(({ network }) => network === 'mainnet')!;
    connection = new Connection(endpoint, { commitment: 'confirmed', wsEndpoint: websocket });
    for (const { publicKey } of [payer, payee])
      await landed(await connection.requestAirdrop(publicKey, 10 * SOL));
    await history(payer.publicKey.toBase58());
  });

  it('shows a transfer of SOL in the histories, its status, and the new balance', async () => {
    const signature = await submit(
      new Transaction().add(
        SystemProgram.transfer({
          fromPubkey: payer.publicKey,
          toPubkey: payee.publicKey,
          lamports: 1_234_567_890,
        }),
      ),
      [payer],
    );
    const address = payee.publicKey.toBase58();
    await until(
      () => history(address),
      items => items.some(({ data }) => 'signature' in data && data.signature === signature),
    );
    const { body: listed } = await main.post('/solana/transactions/mainnet', { address });
    expect(
      (listed as EnhancedTransaction[]).filter(transaction => transaction.signature === signature),
    ).toMatchObject([
      {
        transactionError: null,
        nativeTransfers: [
          { fromUserAccount: payer.publicKey.toBase58(), toUserAccount: address, amount: 1_234_567_890 },
        ],
      },
    ]);
    const status = await until(
      () => main.post('/solana/transaction/mainnet', { signature }),
      ({ body }) => (body as { status?: string } | null)?.status === 'confirmed',
    );
    expect(status.body).toMatchObject({ err: null });
    await until(
      () => main.post('/solana/account/mainnet', { address }),
      ({ body }) => (body as { balance?: string }).balance === String(10 * SOL + 1_234_567_890),
    );
  });

  it('shows a transfer of a token in the list of tokens and in the history', async () => {
    const mint = Keypair.generate();
    const program = spl.TOKEN_PROGRAM_ID;
    const [mine, theirs] = [payer, payee].map(({ publicKey }) =>
      spl.getAssociatedTokenAddressSync(mint.publicKey, publicKey),
    ) as [PublicKey, PublicKey];
    const lamports = await connection.getMinimumBalanceForRentExemption(spl.MINT_SIZE);
    const account = (ata: PublicKey, owner: PublicKey) =>
      spl.createAssociatedTokenAccountInstruction(payer.publicKey, ata, owner, mint.publicKey);
    await submit(
      new Transaction().add(
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: mint.publicKey,
          space: spl.MINT_SIZE,
          lamports,
          programId: program,
        }),
        spl.createInitializeMintInstruction(mint.publicKey, 6, payer.publicKey, null),
        account(mine, payer.publicKey),
        account(theirs, payee.publicKey),
        spl.createMintToInstruction(mint.publicKey, mine, payer.publicKey, 50_000_000n),
      ),
      [payer, mint],
    );
    const signature = await submit(
      new Transaction().add(
        spl.createTransferCheckedInstruction(mine, mint.publicKey, theirs, payer.publicKey, 12_500_000n, 6),
      ),
      [payer],
    );
    const token = mint.publicKey.toBase58();
    for (const [owner, amount] of [
      [payer, '37500000'],
      [payee, '12500000'],
    ] as const)
      await until(
        () => main.post('/solana/tokens/mainnet', { address: owner.publicKey.toBase58() }),
        ({ status, body }) =>
          status === 200 &&
          (body as { address: string; amount: string; decimals: number }[]).some(
            each => each.address === token && each.amount === amount && each.decimals === 6,
          ),
      );
    const items = await until(
      async () =>
        (await main.post('/solana/transactions/mainnet', { address: theirs.toBase58(), mint: token }))
          .body as EnhancedTransaction[],
      found => found.some(transaction => transaction.signature === signature),
    );
    expect(items.find(transaction => transaction.signature === signature)).toMatchObject({
      tokenTransfers: [{ mint: token, toTokenAccount: theirs.toBase58(), tokenAmount: 12.5 }],
    });
  });
}
