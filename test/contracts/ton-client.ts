import { Address, type Cell, comment, internal, SendMode, toNano } from '@ton/core';
import type { TonClient4, WalletContractV4 } from '@ton/ton';
import type { NetworkIdentity } from '../../contracts/network/network-identity';
import { GetMethodFailed, type TonClient } from '../../contracts/ports/ton-client';
import { WrongNetwork } from '../../contracts/network/wrong-network';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { jettonMaster, jettonWalletAddress } from '../../infra/devnet/ton/jetton/jetton';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { clientOf, externalBoc, quietDevnet } from '../devnet/ton';
import { firstIdentity } from '../doubles/network-identity';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import { until } from '../until';

const NOBODY = `0:${'77'.repeat(32)}`;
const METADATA = { name: 'Dollar', symbol: 'USDX', decimals: 6, description: '', image: '' };

/**
 * The contract of the TON client port, on a local network with the real virtual machine.
 *
 * @param open opens a client of the servers at these URLs, which must be of the identity if one is given
 * @param identifies whether the client itself asks servers for their identity; otherwise what it goes through does
 */
export function describeTonClient(
  name: string,
  open: (urls: readonly string[], identity?: NetworkIdentity) => TonClient,
  identifies = true,
): void {
  describe(`a TON client over ${name}`, () => {
    let devnet: TonDevnet;
    let api: TonClient4;
    let client: TonClient;
    let wallet: LocalWallet;
    let master: ReturnType<typeof jettonMaster>;

    const raw = (): string => wallet.contract.address.toRawString();
    const tip = async (): Promise<number> => (await client.getLastBlock()).seqno;

    beforeAll(async () => {
      devnet = await quietDevnet();
      api = clientOf(devnet.url);
      client = open([devnet.url]);
      wallet = localWallet('client', 'v4r2', 'testnet');
      await devnet.faucet(wallet.contract.address.toString(), toNano(100));
      master = jettonMaster(wallet.contract.address, METADATA);
      await transfer(api, wallet, [
        internal({ to: master.address, value: toNano('0.2'), init: master.init, bounce: false }),
      ]);
    });
    afterAll(() => devnet.close());

    it('reads the newest block', async () => {
      const before = await client.getLastBlock();
      await devnet.faucet(NOBODY, 1n);
      const after = await client.getLastBlock();
      expect(after.seqno).toBeGreaterThan(before.seqno);
      expect(after.now).toBeGreaterThanOrEqual(before.now);
    });

    it('finds the block of an instant', async () => {
      const { now } = await client.getLastBlock();
      await devnet.advanceTime(3_600);
      await devnet.faucet(NOBODY, 1n);
      const then = (await client.getBlockAt(now + 1_800))!;
      expect(then).toBeLessThan(await tip());
      expect((await api.getBlockByUtime(now + 1_800)).shards[0]!.seqno).toBe(then);
      expect(await client.getBlockAt(now - 86_400)).toBeNull();
    });

    it('reads accounts as of a block', async () => {
      expect(await client.getAccount(1, raw())).toEqual({
        balance: 0n,
        currencies: {},
        status: 'uninitialized',
        code: null,
        data: null,
        lastTransaction: null,
        stateHash: null,
        storage: null,
      });
      const seqno = await tip();
      const account = await client.getAccount(seqno, raw());
      const { account: expected } = await api.getAccount(seqno, wallet.contract.address);
      const { used, lastPaid } = expected.storageStat!;
      expect(account.storage).toEqual({ lastPaid, duePayment: null, used: { ...used, publicCells: 0 } });
      expect(account.status).toBe('active');
      expect(account.balance).toBe(BigInt(expected.balance.coins));
      expect(account.code!.equals(wallet.contract.init.code!)).toBe(true);
      expect(account.data!.equals(wallet.contract.init.data!)).toBe(false);
      expect(account.lastTransaction).toEqual(expected.last);
    });

    it('reads accounts without their code and data', async () => {
      expect(await client.getAccountLite(1, raw())).toEqual({
        balance: 0n,
        status: 'uninitialized',
        codeHash: null,
        dataHash: null,
        stateHash: null,
        storage: null,
        lastTransaction: null,
      });
      const seqno = await tip();
      const { balance, status, lastTransaction, data } = await client.getAccount(seqno, raw());
      const { used, lastPaid } = (await api.getAccount(seqno, wallet.contract.address)).account.storageStat!;
      expect(await client.getAccountLite(seqno, raw())).toEqual({
        balance,
        status,
        lastTransaction,
        codeHash: wallet.contract.init.code!.hash().toString('base64'),
        dataHash: data!.hash().toString('base64'),
        stateHash: null,
        storage: { lastPaid, duePayment: null, used: { ...used, publicCells: 0 } },
      });
    });

    it('runs get methods as of a block, and every caller reads the result from its start', async () => {
      const read = async (seqno: number) => (await client.runMethod(seqno, raw(), 'seqno')).readNumber();
      const first = await tip();
      expect(await read(first)).toBe(1);
      await transfer(api, wallet, [internal({ to: Address.parse(NOBODY), value: 1n, body: comment('hi') })]);
      expect(await read(await tip())).toBe(2);
      expect(await Promise.all([read(first), read(first)])).toEqual([1, 1]);
    });

    it('reports the exit code of a failed get method', async () => {
      const seqno = await tip();
      const failure = await client.runMethod(seqno, raw(), 'no_such_method').catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(GetMethodFailed);
      expect(failure).toMatchObject({ exitCode: 11 });
      await expect(client.runMethod(seqno, NOBODY, 'seqno')).rejects.toThrow(GetMethodFailed);
    });

    it('reads all or some parameters of the network', async () => {
      const seqno = await tip();
      const hashes = (config: ReadonlyMap<number, Cell>) =>
        [...config].map(([parameter, cell]) => [parameter, cell.hash().toString('hex')]);
      const all = await client.getConfig(seqno);
      expect(all.size).toBeGreaterThan(5);
      const some = new Map([...all].filter(([parameter]) => [0, 34].includes(parameter)));
      expect(hashes(await client.getConfig(seqno, [0, 34]))).toEqual(hashes(some));
    });

    it('sends messages, and rejects when one is refused', async () => {
      const seqno = await tip();
      const body = (wallet.contract as WalletContractV4).createTransfer({
        seqno: (await client.runMethod(seqno, raw(), 'seqno')).readNumber(),
        secretKey: wallet.keys.secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        timeout: (await client.getLastBlock()).now + 60,
        messages: [internal({ to: Address.parse(NOBODY), value: 5n })],
      });
      const boc = externalBoc(wallet.contract.address, body);
      await client.sendMessage(boc);
      const before = BigInt((await client.getAccount(seqno, raw())).lastTransaction!.lt);
      await until(
        async () => BigInt((await client.getAccount(await tip(), raw())).lastTransaction!.lt) > before,
      );
      await expect(client.sendMessage(boc)).rejects.toThrow(); // its seqno was used
    });

    it('reads the jetton wallet of an owner from the master', async () => {
      const jetton = master.address.toRawString();
      const expected = jettonWalletAddress(master.address, Address.parseRaw(NOBODY)).toRawString();
      expect(await client.getJettonWallet(jetton, NOBODY)).toBe(expected);
      expect(await client.getJettonWallet(jetton, NOBODY)).toBe(expected);
      await expect(client.getJettonWallet(NOBODY, raw())).rejects.toThrow(GetMethodFailed);
    });

    if (!identifies) return;

    describe('whose servers are asked for their zerostate', () => {
      let another: TonDevnet;
      let server: ReplacedServer;

      beforeAll(async () => {
        another = await quietDevnet({ network: 'mainnet' });
        await another.faucet(raw(), toNano(7));
        server = await openReplacedServer(devnet.url);
      });
      afterAll(() => Promise.all([another.close(), server.close()]));

      /** Every read and the sending, as of a block that both networks have. */
      const calls: Record<string, (of: TonClient) => Promise<unknown>> = {
        getLastBlock: of => of.getLastBlock(),
        getAccount: of => of.getAccount(1, raw()),
        getAccountLite: of => of.getAccountLite(1, raw()),
        runMethod: of => of.runMethod(1, raw(), 'seqno'),
        getConfig: of => of.getConfig(1, [0]),
        getJettonWallet: of => of.getJettonWallet(master.address.toRawString(), NOBODY),
        sendMessage: of => of.sendMessage(Buffer.from('')),
      };

      it('reads nothing of another network, and reads again once the right one is back', async () => {
        const identity = firstIdentity();
        const ours = open([server.url], identity);
        await ours.getLastBlock();
        for (const [name, call] of Object.entries(calls)) {
          const unaware = open([server.url], identity); // does not know of the replacement from another call
          await unaware.getLastBlock();
          server.replace(another.url);
          expect([name, await call(unaware).catch((error: unknown) => error)]).toEqual([
            name,
            expect.any(WrongNetwork),
          ]);
          server.replace(devnet.url);
          await unaware.getLastBlock();
        }
        const seqno = await tip();
        expect((await ours.getAccount(seqno, raw())).balance).toBe(
          (await client.getAccount(seqno, raw())).balance,
        );
      });

      it('discards what it read of a server that was replaced before it answered', async () => {
        const ours = open([server.url], firstIdentity());
        await ours.getLastBlock();
        server.answer = request => {
          if (request.url!.startsWith('/block/1/')) server.replace(another.url);
          return false;
        };
        await expect(ours.getAccount(1, raw())).rejects.toThrow(WrongNetwork);
        server.answer = null;
        server.replace(devnet.url);
      });

      it('uses the right one of several servers', async () => {
        const identity = firstIdentity();
        await open([devnet.url], identity).getLastBlock();
        const both = open([another.url, devnet.url], identity);
        expect((await both.getAccount(1, raw())).balance).toBe(0n);
        expect((await both.getLastBlock()).seqno).toBe(await tip());
      });
    });
  });
}
