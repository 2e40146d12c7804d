import { encodeBase58 } from '../../contracts/encoding/base58';
import { sha256 } from '../../contracts/encoding/sha256';
import type { PushCause } from '../../contracts/push/push-cause';
import { ed25519Key } from '../../infra/devnet/ed25519';
import { proofText } from '../../services/push/device/proofs';
import { startPushProgram, type PushProgram } from './program';

const STRANGERS = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
const VICTIM = '198.51.100.7';

let program: PushProgram;
beforeEach(async () => {
  program = await startPushProgram();
});
afterEach(() => program.stop());

let transactions = 0;
const incoming = (address: string): PushCause => ({
  kind: 'incoming_transaction',
  account: { chain: 'ton', network: 'mainnet', address },
  transaction: `hash ${transactions++}`,
  lt: '1',
  at: new Date(Date.now() + 1_000).toISOString(),
});
const WALLET = `0:${'a1'.repeat(32)}`;

it.each([1, 3])(
  'a device of the wallet is notified beside ten of a stranger, who has %d addresses',
  async addresses => {
    const squat = async (from: number, to: number) => {
      for (let n = from; n < to; n++)
        await program.register(STRANGERS[n % addresses]!, `stranger${n}`, { addresses: [WALLET] });
    };
    await squat(0, 5);
    expect(await program.register(VICTIM, 'victim', { addresses: [WALLET] })).toMatchObject({ status: 200 });
    await squat(5, 10);
    await program.happened(incoming(WALLET));
    expect(await program.notified()).toContain('victim');
  },
);

it('an address that registers devices for a wallet on many days has no more places than one that does so at once', async () => {
  await program.stop();
  const day = (n: number): string => new Date(Date.UTC(2026, 2, 1 + n)).toISOString();
  program = await startPushProgram(day(0));
  for (let n = 0; n < 10; n++) {
    program.setClock(day(Math.floor(n / 2)));
    await program.register(STRANGERS[0]!, `stranger${n}`, { addresses: [WALLET] });
  }
  expect(await program.register(VICTIM, 'victim', { addresses: [WALLET] })).toMatchObject({ status: 200 });
  await program.happened({ ...incoming(WALLET), at: day(5) });
  expect(await program.notified()).toContain('victim');
});

it('a device that its wallet has proven to be its own is notified beside any number of others that came first', async () => {
  const keys = ed25519Key(Buffer.alloc(32, 5));
  const wallet = encodeBase58(keys.publicKey);
  const squat = (n: number) =>
    program.register(`192.0.2.${n}`, `stranger${n}`, { addresses: [wallet], network: 'testnet' });
  for (let n = 0; n < 20; n++) await squat(n);
  const timestamp = Math.floor(Date.now() / 1_000);
  const text = proofText('ExponentPushToken[victim]', wallet)(timestamp);
  const proof = { address: wallet, timestamp, signature: keys.sign(sha256(text)).toString('base64') };
  const body = { addresses: [wallet], network: 'testnet' };
  expect((await program.register(VICTIM, 'late', body)).status).toBe(200);
  expect((await program.register(VICTIM, 'victim', { ...body, proofs: [proof] })).status).toBe(200);
  const account = { chain: 'solana', network: 'devnet', address: wallet } as const;
  await program.happened({ ...incoming(wallet), account });
  const notified = await program.notified();
  expect(notified).toContain('victim');
  expect(notified).not.toContain('late');
  // A registration as the wallet app sends it takes nothing back.
  await program.register(VICTIM, 'victim', { ...body, addresses: [wallet, WALLET] });
  await program.happened({ ...incoming(wallet), account });
  expect((await program.notified()).filter(each => each === 'victim')).toHaveLength(2);
});
