import { generateKeyPairSync, verify } from 'node:crypto';
import { createSigner, parsePrivateKey } from './signer';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const der = privateKey.export({ type: 'pkcs8', format: 'der' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

test.each([
  ['DER in hex', der.toString('hex')],
  ['DER in upper-case hex, with a line break', `${der.toString('hex').toUpperCase()}\n`],
  ['PEM', pem],
  ['PEM in one line of an environment', pem.replaceAll('\n', '\\n')],
])('reads a key as %s, and signs with it', async (_, text) => {
  const body = Buffer.from('{"jsonrpc":"2.0","id":"ü"}');
  const signature = await createSigner(parsePrivateKey(text)!).sign(body);
  expect(verify('RSA-SHA256', body, publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  expect(
    verify('RSA-SHA256', Buffer.from(`${body.toString()} `), publicKey, Buffer.from(signature, 'base64')),
  ).toBe(false);
});

test.each([
  ['nothing', ''],
  ['another text', 'secret'],
  ['a part of one', der.toString('hex').slice(0, 600)],
  ['a public key', publicKey.export({ type: 'spki', format: 'pem' }) as string],
  [
    'a key of another kind',
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  ],
])('refuses %s', (_, text) => {
  expect(parsePrivateKey(text)).toBeNull();
});
