import { Keypair, type Logs, PublicKey, SystemProgram } from '@solana/web3.js';
import { WebSocket } from 'ws';
import { devnetForTests, funded, sendSol, SOL } from '../../../test/devnet/solana';
import { loadSpl } from './traffic/spl';
import { LOCAL_TOKENS } from './genesis/local-tokens';
import { TOKEN } from './svm/programs';

const network = devnetForTests({ slotMs: 20 });

/** Collects notifications, and waits for the first that matches. */
const collector = <Value>() => {
  const seen: Value[] = [];
  let look = (): void => undefined;
  return {
    seen,
    push: (value: Value): void => {
      seen.push(value);
      look();
    },
    until: (wanted: (value: Value) => boolean): Promise<Value> =>
      new Promise(resolve => {
        look = () => {
          const found = seen.find(wanted);
          if (found !== undefined) resolve(found);
        };
        look();
      }),
  };
};

it('notifies of slots and roots', async () => {
  const connection = network.connection();
  const [slots, roots] = [collector<{ slot: number; parent: number }>(), collector<number>()];
  const subscriptions = [
    connection.onSlotChange(each => slots.push(each)),
    connection.onRootChange(each => roots.push(each)),
  ] as const;
  const first = await slots.until(() => true);
  await slots.until(({ slot }) => slot >= first.slot + 10);
  expect(slots.seen[1]).toMatchObject({ parent: first.slot });
  expect(await roots.until(() => true)).toBeLessThan(slots.seen.at(-1)!.slot);
  await connection.removeSlotChangeListener(subscriptions[0]);
  await connection.removeRootChangeListener(subscriptions[1]);
});

it.each(['processed', 'confirmed', 'finalized'] as const)(
  'notifies of an account once it is %s',
  async commitment => {
    const connection = network.connection(commitment);
    const [from, to] = [await funded(network.devnet), Keypair.generate()];
    const accounts = collector<number>();
    const id = connection.onAccountChange(to.publicKey, ({ lamports }) => accounts.push(lamports), {
      commitment,
    });
    // There are no notifications until the server has the subscription.
    const slots = collector<number>();
    connection.onSlotChange(({ slot }) => slots.push(slot));
    await slots.until(() => true);
    await sendSol(network.connection(), from, to, SOL);
    expect(await accounts.until(() => true)).toBe(SOL);
    expect(await connection.getBalance(to.publicKey, commitment)).toBe(SOL);
    await connection.removeAccountChangeListener(id);
  },
);

it('notifies of the logs of an account, also for failures, and of all logs', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const [mine, all] = [collector<Logs>(), collector<Logs>()];
  connection.onLogs(to.publicKey, logs => mine.push(logs), 'confirmed');
  connection.onLogs('all', logs => all.push(logs), 'processed');
  const slots = collector<number>();
  connection.onSlotChange(({ slot }) => slots.push(slot));
  await slots.until(() => true);
  const good = await sendSol(connection, from, to, SOL);
  const received = await mine.until(({ signature }) => signature === good);
  expect(received).toMatchObject({
    err: null,
    logs: [expect.stringMatching(/invoke/), expect.stringMatching(/success/)],
  });
  await all.until(({ signature }) => signature === good);
  await network.devnet.airdrop(from.publicKey.toBase58(), 1n);
  expect(mine.seen).toHaveLength(1);
});

it('notifies of a signature, also when it has already reached the commitment', async () => {
  const connection = network.connection('confirmed');
  const signature = await sendSol(connection, await funded(network.devnet), Keypair.generate(), SOL);
  const results = collector<unknown>();
  connection.onSignature(signature, ({ err }) => results.push({ err }), 'finalized');
  expect(await results.until(() => true)).toEqual({ err: null });
  const again = collector<unknown>();
  connection.onSignature(signature, ({ err }) => again.push({ err }), 'finalized');
  expect(await again.until(() => true)).toEqual({ err: null });
});

it('notifies of the filtered accounts of a program', async () => {
  const connection = network.connection();
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const changes = collector<string>();
  connection.onProgramAccountChange(
    SystemProgram.programId,
    ({ accountId }) => changes.push(accountId.toBase58()),
    { commitment: 'processed', filters: [{ dataSize: 0 }] },
  );
  const slots = collector<number>();
  connection.onSlotChange(({ slot }) => slots.push(slot));
  await slots.until(() => true);
  await sendSol(connection, from, to, SOL);
  await changes.until(address => address === to.publicKey.toBase58());
});

it('notifies of an account that is too long for the requested encoding', async () => {
  const socket = new WebSocket(network.devnet.wsUrl);
  await new Promise(resolve => socket.once('open', resolve));
  const received = collector<{ method?: string; params?: { result: { value: { account: unknown } } } }>();
  socket.on('message', data => received.push(JSON.parse((data as Buffer).toString()) as object));
  const params = [TOKEN.address, { commitment: 'processed', encoding: 'base58' }];
  socket.send(JSON.stringify({ id: 1, method: 'programSubscribe', params }));
  await received.until(() => true);
  const owner = await funded(network.devnet);
  const { createAssociatedTokenAccount } = await loadSpl();
  const mint = new PublicKey(LOCAL_TOKENS.devnet[0].mint);
  await createAssociatedTokenAccount(network.connection('confirmed'), owner, mint, owner.publicKey);
  const { params: notice } = await received.until(({ method }) => method === 'programNotification');
  expect(notice?.result.value.account).toMatchObject({ data: [expect.any(String), 'base64'], space: 165 });
  socket.close();
});

it('has the epoch of rent as the number that nodes send, whose last digits JavaScript drops', async () => {
  const exact = '"rentEpoch":18446744073709551615,';
  const address = (await funded(network.devnet)).publicKey.toBase58();
  const answer = await fetch(network.devnet.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getAccountInfo',
      params: [address, { commitment: 'processed' }],
    }),
  });
  expect(await answer.text()).toContain(exact);
  const socket = new WebSocket(network.devnet.wsUrl);
  const texts = collector<string>();
  socket.on('message', data => texts.push((data as Buffer).toString()));
  await new Promise(resolve => socket.once('open', resolve));
  socket.send(
    JSON.stringify({ id: 1, method: 'accountSubscribe', params: [address, { commitment: 'processed' }] }),
  );
  await texts.until(text => text.includes('"id":1'));
  await network.devnet.airdrop(address, 1n);
  expect(await texts.until(text => text.includes('accountNotification'))).toContain(exact);
  socket.close();
});

it('serves WebSocket on the HTTP port too, and calls over WebSocket', async () => {
  const socket = new WebSocket(network.devnet.url.replace('http', 'ws'));
  const answers = collector<{ id?: number; result?: unknown; error?: { code: number } }>();
  socket.on('message', data => answers.push(JSON.parse((data as Buffer).toString()) as { id: number }));
  await new Promise(resolve => socket.once('open', resolve));
  const call = (id: number, method: string, params: unknown[] = []): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  call(1, 'getSlot');
  call(2, 'slotSubscribe');
  expect((await answers.until(({ id }) => id === 1)).result).toEqual(expect.any(Number));
  const { result } = await answers.until(({ id }) => id === 2);
  call(3, 'slotUnsubscribe', [result]);
  expect((await answers.until(({ id }) => id === 3)).result).toBe(true);
  call(4, 'slotUnsubscribe', [result]);
  call(5, 'accountSubscribe', ['not an address']);
  call(6, 'voteSubscribe');
  socket.send('{');
  expect((await answers.until(({ id }) => id === 4)).error?.code).toBe(-32602);
  expect((await answers.until(({ id }) => id === 5)).error?.code).toBe(-32602);
  expect((await answers.until(({ id }) => id === 6)).error?.code).toBe(-32601);
  expect((await answers.until(({ id }) => id === null)).error?.code).toBe(-32700);
  socket.close();
});
