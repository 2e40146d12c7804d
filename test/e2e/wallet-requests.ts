import { localWallet } from '../../infra/devnet/ton/wallets';
import { until } from '../until';
import { createBody, list, post, respondBody, watch, type WalletRequest } from '../wallet-requests/wallet';
import type { Installation } from './installation';

/** Two wallets that were never deployed, so that each names its key. */
export function walletRequests(main: Installation): void {
  const alice = localWallet('wallet requests: alice', 'v5r1', 'testnet');
  const bob = localWallet('wallet requests: bob', 'v4r2', 'testnet');
  const publicKeyOf = ({ keys }: typeof alice) => keys.publicKey.toString('hex');

  async function created(expirationSeconds: number): Promise<WalletRequest> {
    const body = createBody(alice, bob, { expirationSeconds });
    const answer = await post(main.program, 'create', { ...body, publicKey: publicKeyOf(alice) });
    expect(answer.status).toBe(200);
    return answer.body as WalletRequest;
  }

  it('a request is answered, and both wallets are notified; one that is not answered expires', async () => {
    const [ofAlice, ofBob] = [await watch(main.program, alice), await watch(main.program, bob)];
    const { requestId } = await created(300);
    const body = respondBody(bob, requestId, 'confirmed');
    const answer = await post(main.program, 'respond', { ...body, publicKey: publicKeyOf(bob) });
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, request: expect.objectContaining({ requestId, status: 'confirmed' }) as unknown },
    ]);
    const position = answer.headers.get('x-ledger-position')!;
    const [first] = await list(main.program, bob, 'All', { 'X-Min-Position': position });
    expect(first).toMatchObject({ requestId, status: 'confirmed' });

    const forgotten = await created(1);
    const expired = `expired ${forgotten.requestId}`;
    await until(() => [ofAlice, ofBob].every(app => app.notifications().includes(expired)));
    expect(ofAlice.notifications()).toEqual([`request_response ${requestId}`, expired]);
    for (const { socket } of [ofAlice, ofBob]) socket.terminate();
  });
}
