import { Address } from '@ton/core';
import type { Tidemark } from '../../../e2e/tidemark';
import { temporaryFolder } from '../../../temporary-folder';
import { until } from '../../../until';
import { ask, startProgram, type Json } from '../../program';
import { connect, type Node } from '../node';
import { sharePrice } from './getters';

const DAY = 86_400;
const YEAR = 31_536_000;

/** With traffic: the vault is paid rewards. */
let program: Tidemark;
let node: Node;
let vault: Address;

beforeAll(async () => {
  program = await startProgram(temporaryFolder(), { LOCAL_TRAFFIC: 'true' });
  node = await connect(program.url, 'mainnet');
  const { resources } = await ask(`${program.url}/appconfig/mainnet`);
  vault = Address.parse(resources['staking.ethena.usdeVault']);
});
afterAll(() => program?.kill('SIGTERM'));

it('there is no yield of a network that has just begun, and after two days one that follows from two prices of the vault', async () => {
  const early = await fetch(`${program.url}/usde/mainnet/apy`);
  expect([early.status, ((await early.json()) as Json).code]).toEqual([503, 'not_ready']);
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);

  const rate = async (): Promise<number> => (await ask(`${program.url}/usde/mainnet/rate`)).usdeRate;
  const first = await rate();
  for (let day = 0; day < 2; day++) {
    const before = await rate();
    await ask(`${program.url}/devnet/ton/advance`, { seconds: DAY });
    await until(async () => (await rate()) > before);
  }
  const { apy, from, to } = await until(
    () => ask(`${program.url}/usde/mainnet/apy`),
    answer => answer.to.usdeRate > first,
  );
  for (const { seqno, usdeRate } of [from, to])
    expect(usdeRate).toBe(Number(await sharePrice(node.client, vault, seqno)) / 1e9);
  const seconds = (Date.parse(to.time) - Date.parse(from.time)) / 1_000;
  expect(seconds).toBeGreaterThanOrEqual(DAY);
  expect(Number(apy)).toBeCloseTo(((to.usdeRate / from.usdeRate) ** (YEAR / seconds) - 1) * 100, 3);
  expect(Number(apy)).toBeGreaterThan(0);
});
