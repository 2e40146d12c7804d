import { Address, Cell, comment as commentBody, internal, loadStateInit, type StateInit } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import type { MintlessHint } from '../../contracts/http/tokens/mintless';
import type { FullHints } from '../../contracts/http/tokens/tokens';
import { jettonTransferBody } from '../../infra/devnet/ton/jetton/jetton';
import { seqnoOf, transfer, walletOfKey } from '../../infra/devnet/ton/wallets';
import { callUntilReady } from './client';
import type { Installation, LocalNetworks } from './installation';
import { restartWithPendingRequests } from './restart';
import { until } from '../until';
import { importTonWallet, sendTon, type TonWallet } from './wallets';

/** Whether one of the newest transactions of the sender has sent a message with the comment. */
async function isSent(
  client: TonClient4,
  { contract: { address } }: TonWallet,
  comment: string,
): Promise<boolean> {
  const { last } = await client.getLastBlock();
  const newest = (await client.getAccountLite(last.seqno, address)).account.last!;
  const page = await client.getAccountTransactions(
    address,
    BigInt(newest.lt),
    Buffer.from(newest.hash, 'base64'),
  );
  const body = commentBody(comment);
  return page.some(({ tx }) => tx.outMessages.values().some(message => message.body.equals(body)));
}

const withComment = (items: readonly StoredTransaction[], comment: string): StoredTransaction[] =>
  items.filter(({ operation }) => operation.comment === comment);

export function ton(main: Installation): void {
  /** The history of a TON account. */
  async function history(address: string): Promise<StoredTransaction[]> {
    const { status, body } = await callUntilReady(main.program.url, 'POST', '/transactions/v3', {
      body: {
        account: { tonAddress: address, solanaAddress: '' },
        network: 'mainnet',
        cursor: {},
        limit: 100,
      },
    });
    expect(status).toBe(200);
    return (body as { data: { data: StoredTransaction }[] }).data.map(({ data }) => data);
  }

  /** The local mainnet, once it is seeded. */
  const place = (): Promise<LocalNetworks['ton'][number]> =>
    until(
      async () => (await main.places()).ton.find(({ network }) => network === 'mainnet')!,
      ({ accounts }) => (accounts?.length ?? 0) > 1,
    );

  let sender: TonWallet;
  let from: string;
  let to: string;
  let sent: { comment: string; messageHash: string };

  /**
   * Resolves once the transfer is in a block. The local traffic uses the same wallet: of two messages with one seqno the network
   * drops the later one, and it is signed again.
   */
  async function pay(comment: string): Promise<{ comment: string; messageHash: string }> {
    const client = new TonClient4({ endpoint: (await place()).endpoint, timeout: 60_000 });
    const transfer = { to: Address.parse(to), nanotons: 250_000_000n, comment };
    const { messageHash } = await until(
      async () => {
        const offered = await sendTon(client, sender, transfer);
        await until(
          () => seqnoOf(client, sender.contract),
          seqno => seqno > offered.seqno,
        );
        if (!(await isSent(client, sender, comment))) throw new Error('another message took the seqno');
        return offered;
      },
      () => true,
    );
    return { comment, messageHash };
  }

  beforeAll(async () => {
    const [payer, payee] = (await place()).accounts!;
    from = payer!.address;
    to = payee!.address;
    sender = await importTonWallet(payer!.mnemonic, payer!.walletVersion);
    expect(sender.contract.address.toRawString()).toBe(payer!.rawAddress);
    await history(from);
    await history(to);
    sent = await pay('Rent for November, from a test');
  });

  it('shows a transfer with its comment to both sides, once, in all three histories', async () => {
    for (const [address, kind] of [
      [from, 'out'],
      [to, 'in'],
    ] as const) {
      const [v3] = await until(
        async () => withComment(await history(address), sent.comment),
        found => found.length === 1,
      );
      expect(v3).toMatchObject({
        parsed: { kind, status: 'success', body: { type: 'comment', comment: sent.comment } },
        operation: { items: [{ kind: 'ton', amount: kind === 'out' ? '-250000000' : '250000000' }] },
      });
      const { body: v1 } = await main.post(`/transactions/${address}`, { limit: 100 });
      expect(withComment((v1 as { transactions: StoredTransaction[] }).transactions, sent.comment)).toEqual([
        v3,
      ]);
      const { body: v2 } = await main.post(`/transactions/v2/${address}`, { cursor: {}, limit: 100 });
      const data = (v2 as { data: { data: StoredTransaction }[] }).data.map(item => item.data);
      expect(withComment(data, sent.comment)).toEqual([v3]);
      for (const path of [`/transactions/${address}?limit=100`, `/transactions/v2/${address}?limit=100`]) {
        const { status, body } = await main.get(path);
        expect([status, JSON.stringify(body).includes(v3!.hash)]).toEqual([200, true]);
      }
    }
  });

  it('finds the transfer by the hash of the message that the wallet sent', async () => {
    const { body } = await until(
      () => main.post('/ton/transactions/status/mainnet', { txHash: sent.messageHash }),
      answer => (answer.body as { found?: boolean } | null)?.found === true,
    );
    const [transaction] = withComment(await history(from), sent.comment);
    expect(body).toMatchObject({
      found: true,
      inProgress: false,
      success: true,
      lt: transaction!.lt,
      hash: transaction!.hash,
      timestamp: transaction!.time,
    });
    const unknown = await main.post('/ton/transactions/status/mainnet', { txHash: 'ab'.repeat(32) });
    expect(unknown.status).toBe(200);
    expect((unknown.body as { found?: boolean } | null)?.found ?? false).toBe(false);
  });

  it('lists the mintless jetton until its owner claims it with the payload; then it is in the hints', async () => {
    const [receiver, , owner] = (await place()).accounts!;
    const get = async <T>(path: string): Promise<T> => {
      const { status, body } = await main.get(path);
      expect(status).toBe(200);
      return body as T;
    };
    const unclaimed = () => get<MintlessHint[]>(`/mintless/jettons/${owner!.address}`);
    const [hint, ...more] = await until(unclaimed, ({ length }) => length > 0);
    expect(more).toEqual([]);
    const { jetton, walletAddress } = hint!;
    expect(hint).toMatchObject({ balance: '500000000', extensions: ['custom_payload'] });
    expect(jetton).toMatchObject({ symbol: 'LESS', verification: 'whitelist' });

    const { customPayload, stateInit } = await get<{ customPayload: string; stateInit: string }>(
      `/mintless/jettons/${jetton.address}/transfer/${owner!.address}/payload?` +
        `customPayloadApiUri=${encodeURIComponent(jetton.customPayloadApiUri!)}`,
    );
    const client = new TonClient4({ endpoint: (await place()).endpoint, timeout: 60_000 });
    const wallet = walletOfKey(
      (await importTonWallet(owner!.mnemonic, owner!.walletVersion)).keys.secretKey.subarray(0, 32),
      owner!.walletVersion,
      'mainnet',
    );
    const claim = internal({
      to: Address.parse(walletAddress.address),
      value: 200_000_000n,
      init: loadStateInit(Cell.fromBase64(stateInit).beginParse()) as StateInit,
      body: jettonTransferBody({
        to: Address.parse(receiver!.address),
        amount: 100_000_000n,
        response: wallet.contract.address,
        forwardValue: 1n,
        customPayload: Cell.fromBase64(customPayload),
      }),
    });
    // The local traffic may take the seqno. A second claim would change nothing.
    const { hints } = await until(
      async () => {
        await transfer(client, wallet, [claim]);
        return get<FullHints>(`/hints/full/${owner!.address}`);
      },
      found => found.hints.some(each => each.jetton.address === jetton.address),
    );
    const claimed = hints.find(each => each.jetton.address === jetton.address);
    expect(claimed).toMatchObject({ balance: '400000000', walletAddress });
    expect(await until(unclaimed, ({ length }) => length === 0)).toEqual([]);
  });

  it('continues after a restart with pending requests, with nothing lost', async () => {
    const before = await history(from);
    await restartWithPendingRequests(main);
    const hashes = (transactions: readonly StoredTransaction[]): string[] =>
      transactions.map(({ hash }) => hash);
    expect(hashes(await history(from))).toEqual(expect.arrayContaining(hashes(before)));
    const again = await pay('Rent for December, from a test');
    const received = await until(
      () => history(to),
      found => withComment(found, again.comment).length > 0,
    );
    for (const { comment } of [sent, again]) expect(withComment(received, comment)).toHaveLength(1);
  });
}
