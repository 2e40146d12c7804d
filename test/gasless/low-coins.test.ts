import { toNano, type Address } from '@ton/core';
import { gaslessSendStream, type GaslessSendRef } from '../../contracts/events/gasless-send';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { load } from '../../services/commands/load';
import { sendOn } from '../../services/gasless/relay/send-on';
import { gaslessSendKind } from '../../services/gasless/send/decider';
import { coinsOf, jettonsOf, startLocalRelay, type LocalRelay } from './local-relay';
import { post, quoteFor, signedCarrier, testRelayer, type TestRelayer } from './relayer';

/** A relay wallet that has coins for a few requests, and is asked for many at once. */

jest.setTimeout(300_000);

const USERS = 12;
const AMOUNT = 1_000n;
/** Above the minimum: enough for four or five requests with a wallet to deploy, of 0.12 TON each. */
const AVAILABLE = toNano('0.6');
let local: LocalRelay;
let test: TestRelayer;
let users = 0;

beforeAll(async () => {
  local = await startLocalRelay();
  const balance = await coinsOf(local, local.relay.contract.address);
  test = testRelayer(local, { minBalance: balance - AVAILABLE });
});
afterAll(async () => {
  await test.close();
  await local.close();
});

interface Asked {
  readonly wallet: LocalWallet;
  readonly to: Address;
  readonly boc: Buffer;
}

async function signedRequests(number: number): Promise<Asked[]> {
  const wallets = Array.from({ length: number }, () =>
    localWallet(`user ${(users += 1)} of a low wallet`, 'v5r1', 'testnet'),
  );
  await local.mintAll(
    wallets.map(({ contract }) => contract.address),
    5_000_000n,
  );
  return Promise.all(
    wallets.map(async (wallet, at) => {
      const to = localWallet(`receiver ${users}-${at} of a low wallet`, 'v4r2', 'testnet').contract.address;
      const quote = await quoteFor(test, local, { wallet, to, amount: AMOUNT });
      return { wallet, to, boc: await signedCarrier(quote, { wallet, seqno: 0 }) };
    }),
  );
}

const refOf = ({ wallet }: Asked): GaslessSendRef => ({
  network: 'testnet',
  wallet: wallet.contract.address.toRawString(),
  seqno: 0,
});

/** All within a minute. */
function postAll(asked: readonly Asked[]) {
  const now = new Date();
  const deps = { ...test.deps, clock: () => now };
  return Promise.all(asked.map(each => post({ deps }, each.boc, each.wallet, refOf(each).wallet)));
}

const send = async (refs: readonly GaslessSendRef[]) => sendOn(test.deps, test.relayer, refs);

it('accepts what it can pay for, each of which arrives, and refuses the rest', async () => {
  const asked = await signedRequests(USERS);
  const answers = await postAll(asked);
  const accepted = asked.filter((_, at) => answers[at] === null);
  const attached = await Promise.all(
    accepted.map(async each => {
      const found = await load(test.store, gaslessSendKind, gaslessSendStream(refOf(each)));
      return BigInt(found!.accepted.attached);
    }),
  );
  const sum = attached.reduce((total, each) => total + each, 0n);
  expect(sum).toBeLessThanOrEqual(AVAILABLE);
  expect(sum + attached[0]!).toBeGreaterThan(AVAILABLE);
  for (const answer of answers.filter(each => each !== null))
    expect(answer).toMatchObject({ error: 'try-later', detail: 'The relayer sends no more for now.' });

  // One message has all of them: nothing waits for coins.
  await send(accepted.map(refOf));
  await local.devnet.simulation.produceBlock();
  expect(await send(accepted.map(refOf))).toHaveLength(accepted.length);
  await local.devnet.simulation.produceBlock();
  expect(await Promise.all(accepted.map(({ to }) => jettonsOf(local, to)))).toEqual(
    accepted.map(() => AMOUNT),
  );
});
