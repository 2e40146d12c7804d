import { Keypair, SystemProgram } from '@solana/web3.js';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { until } from '../until';
import { startLocalNetwork, type LocalNetwork } from '../solana/local-network';
import { startProgram, type Program } from '../solana/program';

/** What the first read of an account gets from nodes that are as far away as public ones: all that it asks for, or a 503. */
describe.each([100, 250])('with nodes that take %d ms a call', latencyMs => {
  const TRANSACTIONS = 40;
  const TON = `0:${'1'.repeat(64)}`;

  let network: LocalNetwork;
  let program: Program;
  let alice: Keypair;
  let all: string[];

  beforeAll(async () => {
    network = await startLocalNetwork({ slotMs: 20, latencyMs });
    alice = await network.rich();
    const bob = Keypair.generate().publicKey;
    for (let n = 1; n < TRANSACTIONS; n++)
      await network.send(
        [SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 1_000_000 + n })],
        [alice],
      );
    all = (await network.connection.getSignaturesForAddress(alice.publicKey)).map(
      ({ signature }) => signature,
    );
    // Short, so that most reads end before the history is read.
    program = await startProgram(network, { listWaitMs: 150 });
  });
  afterAll(async () => {
    await program?.stop();
    await network?.close();
  });

  /** The first answer that is not a 503, which any other has to be. */
  async function first<Body>(path: string, body: object): Promise<Body> {
    const answer = await until(
      () => program.post(path, body),
      ({ status, body }) => {
        if (status === 503) expect(body).toMatchObject({ code: 'not_ready' });
        return status !== 503;
      },
    );
    expect(answer.status).toBe(200);
    return answer.body as Body;
  }
  const signaturesOf = (items: readonly EnhancedTransaction[]): string[] =>
    items.map(({ signature }) => signature);

  it('has each page of all histories whole', async () => {
    expect(all).toHaveLength(TRANSACTIONS);
    const address = alice.publicKey.toBase58();
    const account = { tonAddress: TON, solanaAddress: address, solanaATAaddress: '' };
    const [v3, whole] = await Promise.all([
      first<{ data: { data: EnhancedTransaction }[]; hasMore: boolean }>('/transactions/v3', {
        account,
        network: 'mainnet',
        cursor: {},
        limit: 32,
      }),
      first<EnhancedTransaction[]>('/solana/transactions/mainnet', { address, limit: 100 }),
    ]);
    expect(signaturesOf(v3.data.map(({ data }) => data))).toEqual(all.slice(0, 32));
    expect(v3.hasMore).toBe(true);
    expect(signaturesOf(whole)).toEqual(all);
  });

  it('is empty for an account without transactions', async () => {
    const address = Keypair.generate().publicKey.toBase58();
    expect(await first('/solana/transactions/mainnet', { address })).toEqual([]);
    const account = { tonAddress: TON, solanaAddress: address };
    expect(await first('/transactions/v3', { account, network: 'mainnet', cursor: {} })).toMatchObject({
      data: [],
      hasMore: false,
    });
  });

  it('is a 503 of an account that nobody has read while no node answers', async () => {
    await network.disconnect();
    const solanaAddress = Keypair.generate().publicKey.toBase58();
    const account = { tonAddress: TON, solanaAddress };
    const answers = await Promise.all([
      program.post('/solana/transactions/mainnet', { address: solanaAddress }),
      program.post('/transactions/v3', { account, network: 'mainnet', cursor: {} }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    const address = alice.publicKey.toBase58();
    expect((await program.post('/solana/transactions/mainnet', { address })).status).toBe(200);
  });
});
