import { blake2b } from '@noble/hashes/blake2b';
import { box } from 'tweetnacl';
import { backlog } from '../client/backlog';
import { clientId } from '../client/client-id';
import { post, type Outgoing } from '../client/post';
import type { Bridge } from '../client/request';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Opens a sealed box of libsodium (`crypto_box_seal_open`). */
function openSealed(sealed: Buffer, { publicKey, secretKey }: nacl.BoxKeyPair): string {
  const ephemeral = sealed.subarray(0, 32);
  const nonce = blake2b(Buffer.concat([ephemeral, publicKey]), { dkLen: 24 });
  const opened = box.open(sealed.subarray(32), nonce, ephemeral, secretKey);
  if (!opened) throw new Error('not sealed for this key');
  return Buffer.from(opened).toString();
}

/** Where a request came from, which only its recipient can read; on a bridge that says so. */
export function requestSource(bridge: () => Bridge): void {
  const sourceOf = async (message: Partial<Outgoing>): Promise<unknown> => {
    const keys = box.keyPair();
    await post(bridge(), { from: clientId(), to: hex(keys.publicKey), ...message });
    const [{ request_source } = {}] = await backlog(bridge(), hex(keys.publicKey));
    if (request_source === undefined) return undefined;
    return JSON.parse(openSealed(Buffer.from(request_source, 'base64'), keys));
  };

  test('the recipient opens it', async () => {
    const address = '198.18.4.2';
    const headers = { origin: 'https://dapp.example', 'user-agent': 'a browser' };
    const source = (await sourceOf({ address, headers })) as { time: string };
    expect(source).toEqual({
      origin: 'https://dapp.example',
      ip: address,
      time: expect.stringMatching(/^\d{10}$/),
      user_agent: 'a browser',
    });
    expect(Math.abs(Number(source.time) * 1_000 - Date.now())).toBeLessThan(600_000);
  });

  test('a sender that says nothing of itself', async () => {
    expect(await sourceOf({ address: '198.18.4.2' })).toMatchObject({ ip: '198.18.4.2' });
  });

  test('no_request_source=true: none', async () => {
    expect(await sourceOf({ query: { no_request_source: 'true' } })).toBeUndefined();
    expect(await sourceOf({ query: { no_request_source: 'false' } })).toBeDefined();
  });

  test('a recipient whose id is no point of the curve receives its messages', async () => {
    for (const to of ['00'.repeat(32), 'ff'.repeat(32), `01${'00'.repeat(31)}`]) {
      const body = `message ${clientId()}`;
      await post(bridge(), { from: clientId(), to, body });
      expect((await backlog(bridge(), to)).map(({ message }) => message)).toContain(body);
    }
  });

  test('headers of a megabyte, or that are no text, are no fault of the server', async () => {
    for (const value of ['x'.repeat(8_000), '\u00ff\u0080', '"\\'])
      expect(await sourceOf({ headers: { 'user-agent': value } })).toBeDefined();
  });
}
