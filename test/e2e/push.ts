import { formatTonAddress } from '../../contracts/account/address';
import { sleep } from '../../contracts/retry/retry';
import { until } from '../until';
import { send } from './client';
import type { Installation } from './installation';

interface Notification {
  readonly kind: string;
  readonly device: string;
  readonly status: string;
  readonly content: { readonly title: string; readonly body: string; readonly data: object } | null;
}

const KEY = Buffer.alloc(32, 7).toString('base64');
const token = (name: string) => `ExponentPushToken[${name.padEnd(22, 'x')}]`;
const tonAddress = (n: number) => `0:${n.toString(16).padStart(64, '0')}`;
const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';

export function push(main: Installation): void {
  const register = (body: object) =>
    main.post('/push/register', { token: token('anybody'), appPublicKey: KEY, addresses: [], ...body });
  const outbox = async (device: string): Promise<Notification[]> => {
    const words = ['push', 'outbox', '--limit', '1000'];
    const { notifications } = await main.command<{ notifications: Notification[] }>(...words);
    return notifications.filter(each => each.device === device);
  };
  const devicesOf = async (address: string): Promise<{ id: string; accounts: string[] | null }[]> => {
    const words = ['push', 'devices', '--address', address];
    return (await main.command<{ devices: { id: string; accounts: string[] }[] }>(...words)).devices;
  };
  const fund = async (address: string) => {
    const { ton, solana } = await main.places();
    const request = (url: string, body: object) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    if (address.startsWith('0:'))
      await request(`${ton.find(({ network }) => network === 'mainnet')!.endpoint}/faucet`, {
        address,
        amount: '1000000000',
      });
    else
      await request(solana.find(({ network }) => network === 'mainnet')!.endpoint, {
        jsonrpc: '2.0',
        id: 1,
        method: 'requestAirdrop',
        params: [address, 1_000_000_000],
      });
  };

  /** Asks the network itself: no read of this program has the account watched. */
  const hasCoins = async (address: string): Promise<void> => {
    const { ton } = await main.places();
    const { endpoint } = ton.find(({ network }) => network === 'mainnet')!;
    const read = async (path: string) => (await send(endpoint, 'GET', path)).body;
    await until(
      async () => {
        const { last } = (await read('/block/latest')) as { last: { seqno: number } };
        const path = `/block/${last.seqno}/${formatTonAddress(address, 'mainnet')}/lite`;
        return (await read(path)) as { account: { balance: { coins: string } } };
      },
      ({ account }) => account.balance.coins !== '0',
    );
  };

  it('a device is notified of what its accounts receive from then on, once', async () => {
    const account = tonAddress(0xfeed);
    await fund(account);
    await hasCoins(account);
    // Times of chains are whole seconds: what happens within that of the registration is notified.
    await sleep(1_000, AbortSignal.timeout(60_000));
    const answer = await register({ token: token('alice'), addresses: [account, SOLANA] });
    expect([answer.status, answer.body]).toEqual([200, { ok: true, addresses: 2, ignored: 0 }]);
    const [device] = await devicesOf(account);
    expect(device).toMatchObject({ accounts: [`ton:mainnet:${account}`, `solana:mainnet:${SOLANA}`] });
    expect((await register({ token: token('alice'), addresses: [account, SOLANA] })).body).toEqual(
      answer.body,
    );

    for (const address of [account, SOLANA]) await fund(address);
    const found = await until(
      () => outbox(device!.id),
      all => all.length === 2 && all.every(({ status }) => status === 'accepted'),
    );
    const data = { type: 'incoming_transaction', network: 'mainnet' };
    expect(found.map(({ content }) => content!.data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...data, chain: 'ton' }),
        expect.objectContaining({ ...data, chain: 'solana', address: SOLANA }),
      ]),
    );
    expect(JSON.stringify(found)).not.toMatch(/1000000000|ExponentPushToken/);
  });

  it('the last registration of a token counts, under whatever key, and the answer is the same', async () => {
    const [before, after] = [tonAddress(0xaaa), tonAddress(0xbbb)];
    const first = await register({ token: token('bob'), addresses: [before] });
    const other = Buffer.alloc(32, 9).toString('base64');
    const second = await register({ token: token('bob'), appPublicKey: other, addresses: [after] });
    expect(second.body).toEqual(first.body);
    expect(await devicesOf(before)).toEqual([]);
    const [device] = await devicesOf(after);
    await main.command('push', 'retire', device!.id);
    expect(await devicesOf(after)).toEqual([]);
  });

  it('follows the first twenty accounts, each once, and test-only wallets on the test networks', async () => {
    const addresses = Array.from({ length: 22 }, (_, n) => tonAddress(0x1000 + n));
    const answer = await register({ token: token('many'), addresses: [...addresses, ...addresses] });
    expect(answer.body).toEqual({ ok: true, addresses: 20, ignored: 2 });
    const testOnly = formatTonAddress(tonAddress(7), 'testnet', false);
    await register({ token: token('test'), addresses: [testOnly, SOLANA] });
    const words = ['push', 'devices', '--address', SOLANA, '--network', 'devnet'];
    const { devices } = await main.command<{ devices: unknown[] }>(...words);
    expect(devices).toHaveLength(1);
    expect(await register({ addresses: [testOnly], network: 'mainnet' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/network' }] },
    });
  });

  it.each<[string, string, object]>([
    ['no token of Expo', '/body/token', { token: 'fcm:abc' }],
    [
      'a token of Apple',
      '/body/token',
      { token: '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad' },
    ],
    ['an empty token', '/body/token', { token: 'ExponentPushToken[]' }],
    ['a huge token', '/body/token', { token: token('x'.repeat(10_000)) }],
    ['several tokens', '/body/token', { token: [token('a'), token('b')] }],
    ['a key that is too short', '/body/appPublicKey', { appPublicKey: 'AAAA' }],
    ['a key that is no base64', '/body/appPublicKey', { appPublicKey: `${'!'.repeat(43)}=` }],
    ['a key that is not canonical', '/body/appPublicKey', { appPublicKey: `${'A'.repeat(42)}B=` }],
    ['a key in hex', '/body/appPublicKey', { appPublicKey: 'ab'.repeat(32) }],
    [
      'addresses of another chain',
      '/body/addresses/1',
      { addresses: [SOLANA, '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'] },
    ],
    ['an address that is none', '/body/addresses/0', { addresses: [{ $ne: null }] }],
    ['one address, not an array', '/body/addresses', { addresses: SOLANA }],
    ['far too many addresses', '/body/addresses', { addresses: Array(201).fill(SOLANA) }],
    ['an unknown network', '/body/network', { network: 'devnet' }],
  ])('refuses %s', async (_what, pointer, wrong) => {
    const { status, body } = await register(wrong);
    expect([status, (body as { errors: { pointer: string }[] }).errors[0]!.pointer]).toEqual([400, pointer]);
  });
}
