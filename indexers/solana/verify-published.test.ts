import { SOLANA_TRANSACTIONS } from '../../contracts/chain/solana';
import { InMemoryLog } from '../../test/doubles/log';
import { mentioning } from '../../test/solana/raw-transactions';
import { createScriptedChain, type Scripted, type ScriptedChain } from '../../test/solana/scripted-chain';
import { blockRecords, newMessage, outcomeRecords } from './records';
import { verifyPublished } from './verify-published';

const ALICE = 'Alice';
const { signal } = new AbortController();

let log: InMemoryLog;
let ours: ScriptedChain;
beforeEach(async () => {
  log = new InMemoryLog();
  await log.declare([SOLANA_TRANSACTIONS]);
  ours = createScriptedChain();
});
afterEach(() => log.close());

const publish = async (block: Scripted) => {
  const { records, published } = blockRecords('mainnet', block, 'finalized', new Set([ALICE]));
  await log.publish(SOLANA_TRANSACTIONS.name, [...records]);
  return published;
};
const verify = () => verifyPublished({ network: 'mainnet', source: ours.source, log, signal });
const signatures = async () => (await verify()).false.map(({ signature }) => signature);

test('what is in blocks of the network is true', async () => {
  for (const slot of [1, 2, 7]) await publish(ours.add(slot, [mentioning(`s${slot}`, ALICE)]));
  ours.finalize(7);
  expect(await verify()).toMatchObject({ transactions: 3, false: [], unknown: 0 });
});

test('what is in other blocks than those of the network is false: in the same slot, a skipped one, or one to come', async () => {
  const foreign = createScriptedChain();
  await publish(ours.add(1, [mentioning('true', ALICE)]));
  ours.add(3);
  ours.finalize(3);
  foreign.add(0, []); // the chains name their blocks by number
  for (const slot of [1, 2, 900]) await publish(foreign.add(slot, [mentioning(`false${slot}`, ALICE)]));
  const report = await verify();
  expect(report.false.map(({ signature }) => signature)).toEqual(['false1', 'false2', 'false900']);
  expect(report).toMatchObject({ transactions: 4, accounts: new Set([ALICE]) });
  await log.publish(SOLANA_TRANSACTIONS.name, report.false.map(newMessage));
  expect(await signatures()).toEqual([]);
});

test('what was rolled back is not reported', async () => {
  const base = ours.add(1);
  const lost = ours.add(2, [mentioning('lost', ALICE)]);
  const published = await publish(lost);
  ours.add(3, [], base);
  ours.finalize(3);
  expect(await signatures()).toEqual(['lost']);
  await log.publish(SOLANA_TRANSACTIONS.name, outcomeRecords('rolled-back', 'mainnet', lost, published));
  expect(await signatures()).toEqual([]);
});

test('what the source no longer has, or what is not final yet, is not called false', async () => {
  await publish(ours.add(1, [mentioning('pruned', ALICE)]));
  await publish(ours.add(2, [mentioning('not-final', ALICE)]));
  ours.finalize(1);
  ours.fault = (call, slot) => (call === 'header' && slot === 1 ? 'pruned' : null);
  expect(await verify()).toMatchObject({ false: [], unknown: 2 });
});

test('a slot that the source calls skipped is so only when the next block names a parent before it', async () => {
  await publish(ours.add(1, [mentioning('lost', ALICE)]));
  ours.add(2);
  ours.finalize(2);
  ours.fault = (call, slot) => (call === 'header' && slot === 1 ? 'skipped' : null);
  expect(await verify()).toMatchObject({ false: [], unknown: 1 });
});
