import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import type { NetworkIdentity } from '../../contracts/network/network-identity';
import { RpcError, type SolanaClient } from '../../contracts/ports/solana-client';
import { WrongNetwork } from '../../contracts/network/wrong-network';
import { LOCAL_TOKENS } from '../../infra/devnet/solana/genesis/local-tokens';
import { firstIdentity } from '../doubles/network-identity';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import { startLocalNetwork, type LocalNetwork } from '../solana/local-network';

/**
 * The contract of the Solana client port, on a local network with the real virtual machine.
 *
 * @param open opens a client of the nodes at these URLs, which must be of the identity if one is given
 */
export function describeSolanaClient(
  name: string,
  open: (
    nodes: readonly { readonly url: string; readonly ws: string }[],
    identity?: NetworkIdentity,
  ) => SolanaClient,
): void {
  describe(`a Solana client over ${name}`, () => {
    let spl: typeof Spl;
    let network: LocalNetwork;
    let client: SolanaClient;
    let alice: Keypair;
    const nobody = Keypair.generate().publicKey;

    beforeAll(async () => {
      spl = await import('@solana/spl-token');
      network = await startLocalNetwork();
      client = open([{ url: network.devnet.url, ws: network.devnet.wsUrl }]);
      alice = await network.rich();
    });
    afterAll(() => network?.close());

    const payment = async (to: PublicKey, lamports: number): Promise<Buffer> => {
      const { blockhash } = await client.getLatestBlockhash();
      const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash } as never);
      transaction.add(SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: to, lamports }));
      transaction.sign(alice);
      return transaction.serialize();
    };

    test('reads an account without its data, also one that does not exist', async () => {
      const rich = await network.rich();
      const [usdc] = LOCAL_TOKENS.mainnet;
      const { slot, value } = await client.getAccount(rich.publicKey.toBase58());
      const rentEpoch = Number(2n ** 64n - 1n);
      const wallet = { owner: SystemProgram.programId.toBase58(), executable: false, space: 0 };
      expect(value).toEqual({ ...wallet, balance: '10000000000', rentEpoch });
      expect(slot).toBeGreaterThan(0);
      expect((await client.getAccount(usdc.mint)).value).toEqual({
        balance: String(await network.connection.getBalance(new PublicKey(usdc.mint))),
        owner: spl.TOKEN_PROGRAM_ID.toBase58(),
        executable: false,
        rentEpoch,
        space: spl.MINT_SIZE,
      });
      const absent = await client.getAccount(nobody.toBase58());
      expect(absent.value).toEqual({ ...wallet, balance: '0', rentEpoch });
    });

    test('reads any number of accounts, in order', async () => {
      const [usdc] = LOCAL_TOKENS.mainnet;
      const absent = Array.from({ length: 120 }, () => Keypair.generate().publicKey.toBase58());
      const accounts = await client.getAccounts([...absent, usdc.mint, nobody.toBase58()]);
      expect(accounts).toHaveLength(122);
      expect(accounts.filter(account => account !== null)).toHaveLength(1);
      expect(accounts[120]).toMatchObject({ owner: spl.TOKEN_PROGRAM_ID.toBase58() });
      expect(accounts[120]!.data.length).toBeGreaterThanOrEqual(spl.MINT_SIZE);
      expect(await client.getAccounts([])).toEqual([]);
      await expect(client.getAccounts([usdc.mint], 1_000_000_000)).rejects.toThrow(/slot/i);
    });

    test('reads the token accounts of an owner', async () => {
      const [usdc] = LOCAL_TOKENS.mainnet;
      const mint = new PublicKey(usdc.mint);
      const account = spl.getAssociatedTokenAddressSync(mint, nobody);
      await network.send(
        [spl.createAssociatedTokenAccountInstruction(alice.publicKey, account, nobody, mint)],
        [alice],
      );
      const { value } = await client.getTokenAccounts(nobody.toBase58());
      expect(value).toEqual([{ address: account.toBase58(), mint: usdc.mint, amount: 0n }]);
      expect((await client.getTokenAccounts(alice.publicKey.toBase58())).value).toEqual([]);
    });

    test('sends transactions and reads their status', async () => {
      const signature = await client.sendTransaction(await payment(nobody, 1_000_000));
      for (;;) {
        const { value } = await client.getSignatureStatus(signature);
        if (value?.confirmationStatus === 'finalized') {
          expect(value).toMatchObject({ err: null, confirmations: null });
          break;
        }
        await client.waitForSlot(1_000);
      }
      expect((await client.getSignatureStatus('5'.repeat(87))).value).toBeNull();
    });

    test('a transaction that fails its simulation is refused and not sent', async () => {
      const tooMuch = await payment(nobody, 900_000_000_000);
      await expect(client.sendTransaction(tooMuch)).rejects.toThrow(RpcError);
    });

    test('makes several calls at once, each with its own outcome, in order', async () => {
      const absent = Array.from({ length: 120 }, () => ({
        method: 'getBalance',
        params: [Keypair.generate().publicKey.toBase58()],
      }));
      const genesis = { method: 'getGenesisHash', params: [] };
      const unknown = { method: 'getNothing', params: [] };
      const outcomes = await client.withFailover(({ batch }) => batch([genesis, ...absent, unknown]));
      expect(outcomes).toHaveLength(122);
      expect(outcomes[0]).toEqual({ result: network.devnet.genesisHash });
      expect(outcomes[77]).toMatchObject({ result: { value: 0 } });
      expect(outcomes[121]).toMatchObject({ error: { code: -32601 } });
      expect(await client.withFailover(({ batch }) => batch([]))).toEqual([]);
    });

    test('notifies of new slots', async () => {
      await client.waitForSlot(60_000);
    });

    describe('whose nodes are asked for their genesis', () => {
      let another: LocalNetwork;
      let server: ReplacedServer;
      const ours = () => ({ url: network.devnet.url, ws: network.devnet.wsUrl });
      const serveOurs = (): void => server.replace(network.devnet.url, network.devnet.wsUrl);
      const serveAnother = (): void => server.replace(another.devnet.url, another.devnet.wsUrl);

      beforeAll(async () => {
        another = await startLocalNetwork({}, 'devnet');
        server = await openReplacedServer(network.devnet.url, network.devnet.wsUrl);
      });
      afterAll(() => Promise.all([another?.close(), server?.close()]));

      const calls: Record<string, (of: SolanaClient) => Promise<unknown>> = {
        getAccount: of => of.getAccount(nobody.toBase58()),
        getAccounts: of => of.getAccounts([nobody.toBase58()]),
        getTokenAccounts: of => of.getTokenAccounts(nobody.toBase58()),
        getSignatureStatus: of => of.getSignatureStatus('5'.repeat(87)),
        getLatestBlockhash: of => of.getLatestBlockhash(),
        // Its blockhash is unknown on the other network: a refusal of the wrong node.
        sendTransaction: async of => of.sendTransaction(await payment(nobody, 1)),
        withFailover: of => of.withFailover(({ connection }) => connection.getSlot()),
      };

      test('reads nothing of another network, and reads again once the right one is back', async () => {
        const identity = firstIdentity();
        for (const [name, call] of Object.entries(calls)) {
          const unaware = open([server], identity); // does not know of the replacement from another call
          await unaware.getAccount(nobody.toBase58());
          serveAnother();
          expect([name, await call(unaware).catch((error: unknown) => error)]).toEqual([
            name,
            expect.any(WrongNetwork),
          ]);
          serveOurs();
          await unaware.getAccount(nobody.toBase58());
        }
      });

      test('uses the right one of several nodes', async () => {
        const identity = firstIdentity();
        await open([ours()], identity).getAccount(nobody.toBase58());
        const rich = await network.rich();
        const wrong = { url: another.devnet.url, ws: another.devnet.wsUrl };
        const both = open([wrong, ours()], identity);
        expect((await both.getAccount(rich.publicKey.toBase58())).value).toMatchObject({
          balance: '10000000000',
        });
      });

      test('is asked again when the connection for slots was lost', async () => {
        const identity = firstIdentity();
        let refuted = (): void => undefined;
        const noticed = new Promise<void>(resolve => (refuted = resolve));
        const idle = open([server], {
          check: (url, found) =>
            identity.check(url, found).catch((error: unknown) => {
              refuted();
              throw error;
            }),
        });
        await idle.getAccount(nobody.toBase58());
        await idle.waitForSlot(60_000);
        serveAnother();
        await noticed;
        serveOurs();
      });
    });
  });
}
