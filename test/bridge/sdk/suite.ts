import { Address, internal, SendMode } from '@ton/core';
import { sha256_sync, sign, signVerify } from '@ton/crypto';
import type { SendTransactionRequest, TonConnect } from '@tonconnect/sdk';
import type { TonProofItemReplySuccess } from '@tonconnect/protocol';
import { until } from '../../until';
import type { Bridge } from '../client/request';
import { connectionLink, loadDapp, pageStorage } from './dapp';
import { isProven } from './ton-proof';
import { accept, openLink, type WalletSession } from './wallet';

const NONCE = 'a nonce of the dApp';

/** The published SDK of dApps and the published protocol of wallets, connected by the bridge. */
export function sdk(bridge: () => Bridge): void {
  const opened: { dapp: TonConnect; wallet: WalletSession }[] = [];
  // The SDK logs every message.
  beforeEach(() => jest.spyOn(console, 'debug').mockImplementation());
  afterEach(() => {
    for (const { dapp, wallet } of opened.splice(0)) {
      dapp.pauseConnection();
      wallet.sleep();
    }
    jest.restoreAllMocks();
  });

  const connect = async (storage = pageStorage()): Promise<{ dapp: TonConnect; wallet: WalletSession }> => {
    const dapp = loadDapp(bridge(), storage);
    const wallet = await openLink(bridge(), await connectionLink(dapp, NONCE));
    opened.push({ dapp, wallet });
    await accept(wallet);
    await until(() => dapp.connected);
    return { dapp, wallet };
  };

  const payment = ({ account }: WalletSession): SendTransactionRequest => ({
    validUntil: Math.floor(Date.now() / 1_000) + 240,
    messages: [{ address: account.address.toString(), amount: '1000000' }],
  });

  /** Has the user of the wallet sign the payment that the dApp asks for next. @returns the external message */
  const pay = async ({ account, nextRequest, say }: WalletSession, sent: Promise<void>): Promise<string> => {
    const { method, params, id } = await nextRequest();
    expect(method).toBe('sendTransaction');
    const { messages } = JSON.parse(params[0]!) as { messages: { address: string; amount: string }[] };
    const boc = account.contract
      .createTransfer({
        seqno: 0,
        secretKey: account.keys.secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: messages.map(({ address, amount }) =>
          internal({ to: Address.parse(address), value: BigInt(amount) }),
        ),
      })
      .toBoc()
      .toString('base64');
    // The SDK knows no response that comes before its own request has been acknowledged.
    await sent;
    await say({ id, result: boc });
    return boc;
  };

  /** Asks the user for a payment. */
  const requestPayment = (
    dapp: TonConnect,
    request: SendTransactionRequest,
  ): { sent: Promise<void>; result: Promise<{ boc: string }> } => {
    let onRequestSent: () => void = () => undefined;
    const sent = new Promise<void>(resolve => (onRequestSent = resolve));
    return { sent, result: dapp.sendTransaction(request, { onRequestSent }) };
  };

  test('a dApp and a wallet connect, with a proof of ownership', async () => {
    const { dapp, wallet } = await connect();
    const { address, publicKey } = dapp.account!;
    expect(address).toBe(wallet.account.address.toRawString());
    const { proof } = dapp.wallet!.connectItems!.tonProof as TonProofItemReplySuccess;
    expect(proof.payload).toBe(NONCE);
    expect(isProven(Address.parse(address), Buffer.from(publicKey!, 'hex'), proof)).toBe(true);
    expect(isProven(Address.parse(address), Buffer.from(publicKey!, 'hex'), { ...proof, payload: 'x' })).toBe(
      false,
    );
  });

  test('the answer of a wallet arrives although the dApp listens only later', async () => {
    let listen: () => void = () => undefined;
    const storage = pageStorage(new Promise<void>(resolve => (listen = resolve)));
    const dapp = loadDapp(bridge(), storage);
    // The SDK opens its connection once it has stored the session.
    const wallet = await openLink(bridge(), await connectionLink(dapp, NONCE));
    opened.push({ dapp, wallet });
    await accept(wallet);
    expect(dapp.connected).toBe(false);
    listen();
    await until(() => dapp.connected);
  });

  test('a transaction is requested, signed and returned', async () => {
    const { dapp, wallet } = await connect();
    for (let n = 0; n < 3; n++) {
      const { sent, result } = requestPayment(dapp, payment(wallet));
      const boc = await pay(wallet, sent);
      expect(await result).toMatchObject({ boc });
    }
  });

  test('a transaction that the user rejects', async () => {
    const { dapp, wallet } = await connect();
    const { sent, result } = requestPayment(dapp, payment(wallet));
    const { id } = await wallet.nextRequest();
    await sent;
    await Promise.all([
      expect(result).rejects.toThrow('User declined'),
      wallet.say({ id, error: { code: 300, message: 'User declined the transaction' } }),
    ]);
  });

  test('data is requested, signed and returned', async () => {
    const { dapp, wallet } = await connect();
    const { account } = wallet;
    let onRequestSent: () => void = () => undefined;
    const sent = new Promise<void>(resolve => (onRequestSent = resolve));
    const result = dapp.signData({ type: 'text', text: 'I agree \u{1F30A}' }, { onRequestSent });
    const { method, params, id } = await wallet.nextRequest();
    expect(method).toBe('signData');
    const payload = JSON.parse(params[0]!) as { type: 'text'; text: string };
    const signature = sign(sha256_sync(payload.text), account.keys.secretKey).toString('base64');
    await sent;
    const [address, timestamp] = [account.address.toRawString(), Math.floor(Date.now() / 1_000)];
    await wallet.say({ id, result: { signature, address, timestamp, domain: 'dapp.example', payload } });
    const signed = await result;
    expect(signed.payload).toMatchObject({ type: 'text', text: 'I agree \u{1F30A}' });
    const hash = sha256_sync('I agree \u{1F30A}');
    expect(signVerify(hash, Buffer.from(signed.signature, 'base64'), account.keys.publicKey)).toBe(true);
  });

  test('the dApp disconnects', async () => {
    const { dapp, wallet } = await connect();
    await dapp.disconnect();
    expect(await wallet.nextRequest()).toMatchObject({ method: 'disconnect' });
    expect(dapp.connected).toBe(false);
  });

  test('the wallet disconnects', async () => {
    const { dapp, wallet } = await connect();
    await wallet.say({ event: 'disconnect', id: 2, payload: {} }, 'disconnect');
    await until(() => !dapp.connected);
  });

  test('a wallet that slept finds the request that waits for it', async () => {
    const { dapp, wallet } = await connect();
    const first = requestPayment(dapp, payment(wallet));
    await pay(wallet, first.sent);
    await first.result;
    wallet.sleep();
    const { sent, result } = requestPayment(dapp, payment(wallet));
    await sent;
    await wallet.wake();
    const boc = await pay(wallet, sent);
    expect(await result).toMatchObject({ boc });
  });

  test('a dApp that was in the background finds the response that waits for it', async () => {
    const { dapp, wallet } = await connect();
    const { sent, result } = requestPayment(dapp, payment(wallet));
    await sent;
    dapp.pauseConnection();
    const boc = await pay(wallet, sent);
    await dapp.unPauseConnection();
    expect(await result).toMatchObject({ boc });
  });

  test('a page that is loaded again stays connected and sees what happened in between once', async () => {
    const storage = pageStorage();
    const { dapp: before, wallet } = await connect(storage);
    before.pauseConnection();
    const dapp = loadDapp(bridge(), storage);
    await dapp.restoreConnection();
    opened.push({ dapp, wallet });
    expect(dapp.account).toEqual(before.account);
    const { sent, result } = requestPayment(dapp, payment(wallet));
    const boc = await pay(wallet, sent);
    expect(await result).toMatchObject({ boc });
    dapp.pauseConnection();
    await wallet.say({ event: 'disconnect', id: 2, payload: {} });
    const last = loadDapp(bridge(), storage);
    const states: boolean[] = [];
    last.onStatusChange(connected => states.push(connected !== null));
    await last.restoreConnection();
    await until(() => states.length === 2);
    expect(states).toEqual([true, false]);
  });
}
