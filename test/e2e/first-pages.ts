import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { Address } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { tokenAccountsOf } from '../../services/solana/account-stream-state';
import { until } from '../until';
import type { Installation } from './installation';

/** As the wallet app has them: a page that is shorter than its limit less this is the end of the history. */
const LIMIT = 32;
const SLACK = 2;
const TRANSFERS = 40;
/** Messages are delivered within seconds. */
const IN_DELIVERY_SECONDS = 60;

interface Item {
  readonly type: 'ton' | 'solana';
  readonly data: {
    readonly lt: string;
    readonly hash: string;
    readonly time: number;
    readonly signature: string;
    readonly parsed: { readonly status: string };
    readonly tokenTransfers: readonly object[];
  };
}

/** Histories that nobody has read, as the wallet app loads them, compared with the nodes' own. */
export function firstPages(main: Installation): void {
  async function page(account: object, cursor: object): Promise<readonly Item[]> {
    const body = { account, network: 'mainnet', cursor, limit: LIMIT };
    const answer = await until(
      // The app retries whatever is no 200. What it gets first is what it keeps.
      () => main.post('/transactions/v3', body),
      ({ status }) => status !== 503,
    );
    expect(answer.status).toBe(200);
    return (answer.body as { data: Item[] }).data;
  }

  async function loadAll(account: object): Promise<readonly Item[]> {
    const loaded: Item[] = [];
    for (let cursor: object = {}; ;) {
      const items = await page(account, cursor);
      const last = loaded.findLast(({ type }) => type === 'ton')?.data.lt;
      loaded.push(...items.filter(({ type, data }) => type !== 'ton' || data.lt !== last));
      if (items.length < LIMIT - SLACK) return loaded;
      const ton = loaded.findLast(({ type }) => type === 'ton')?.data;
      const solana = loaded.findLast(({ type }) => type === 'solana')?.data;
      cursor = {
        ...(ton && { ton: { lt: ton.lt, hash: ton.hash } }),
        ...(solana && { solana: { before: solana.signature } }),
      };
    }
  }

  async function onTon(endpoint: string, address: Address): Promise<string[]> {
    const client = new TonClient4({ endpoint, timeout: 60_000 });
    const { last } = await client.getLastBlock();
    const { account } = await client.getAccountLite(last.seqno, address);
    const lts: string[] = [];
    for (let next = account.last; next && next.lt !== '0';) {
      const read = await client.getAccountTransactions(
        address,
        BigInt(next.lt),
        Buffer.from(next.hash, 'base64'),
      );
      lts.push(...read.map(({ tx }) => String(tx.lt)));
      const { prevTransactionLt, prevTransactionHash } = read.at(-1)!.tx;
      const hash = Buffer.from(prevTransactionHash.toString(16).padStart(64, '0'), 'hex').toString('base64');
      next = { lt: String(prevTransactionLt), hash };
    }
    return lts;
  }

  it('are whole, over both chains, and so is everything after them', async () => {
    const places = await until(
      () => main.places(),
      ({ ton, solana }) => [...ton, ...solana].every(({ accounts }) => accounts !== undefined),
    );
    const ton = places.ton.find(({ network }) => network === 'mainnet')!;
    const solana = places.solana.find(({ network }) => network === 'mainnet')!;
    const connection = new Connection(solana.endpoint, {
      commitment: 'confirmed',
      wsEndpoint: solana.websocket,
    });
    const confirmed = (signature: string) =>
      until(
        async () => (await connection.getSignatureStatus(signature)).value?.confirmationStatus,
        status => status === 'confirmed' || status === 'finalized',
      );
    const payer = Keypair.generate();
    await confirmed(await connection.requestAirdrop(payer.publicKey, 10_000_000_000));
    const payee = Keypair.generate().publicKey;
    const sent = await Promise.all(
      Array.from({ length: TRANSFERS }, (_, n) =>
        connection.sendTransaction(
          new Transaction().add(
            SystemProgram.transfer({
              fromPubkey: payer.publicKey,
              toPubkey: payee,
              lamports: 1_000_000 + n,
            }),
          ),
          [payer],
        ),
      ),
    );
    await Promise.all(sent.map(confirmed));

    const address = Address.parse(ton.accounts![0]!.address);
    const solanaAddress = payee.toBase58();
    const [solanaATAaddress] = tokenAccountsOf({ network: 'mainnet', address: solanaAddress });
    const began = Date.now() / 1_000;
    const loaded = await loadAll({ tonAddress: address.toString(), solanaAddress, solanaATAaddress });
    const ofTon = loaded.filter(({ type }) => type === 'ton').map(({ data }) => data);
    const ofSolana = loaded.filter(({ type }) => type === 'solana').map(({ data }) => data.signature);
    // The local traffic goes on meanwhile.
    const all = await onTon(ton.endpoint, address);
    expect(ofTon.map(({ lt }) => lt)).toEqual(all.slice(all.indexOf(ofTon[0]!.lt)));
    const old = ofTon.filter(({ time }) => time < began - IN_DELIVERY_SECONDS);
    expect(old.map(({ parsed }) => parsed.status)).not.toContain('pending');
    const listed = await connection.getSignaturesForAddress(new PublicKey(solanaAddress));
    expect(ofSolana).toEqual(listed.map(({ signature }) => signature));
    expect(ofSolana).toHaveLength(TRANSFERS);
  });
}
