import express from 'express';
import request from 'supertest';
import type { TonNetwork } from '../../contracts/network/network';
import { TON_INDEXER_STATE } from '../../indexers/ton/indexer';
import { networksCommand } from '../../infra/cli/networks';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { TOPICS } from '../../infra/program/features';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import { NETWORKS_OFF } from '../local-networks';
import type { TestProgram } from '../program';
import { until } from '../until';

export interface ForkedNetwork {
  readonly network: TonNetwork;
  readonly devnet: TonDevnet;
  /** Those that follow the network. */
  readonly programs: readonly FollowingProgram[];
}

interface FollowingProgram {
  readonly program: Pick<TestProgram, 'deps' | 'operatorsPages'>;
  readonly folder: string;
  /** The command that an operator runs has them too. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * The network forgets every block after this one, all of which the programs know, and goes on with others. What is gone is taken
 * back.
 * @param first what is in the first blocks of the new branch
 */
export async function fork(
  forked: ForkedNetwork,
  block: number,
  first: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const { programs } = forked;
  const { simulation } = forked.devnet;
  const reached = await simulation.produceBlock();
  for (const { program } of programs) {
    const indexed = async () => (await TON_INDEXER_STATE.status(program.deps.engines.documents))[0]!;
    await until(indexed, ({ indexedHeight }) => indexedHeight >= reached);
  }
  await simulation.rollbackTo(block);
  await first();
  await takeBack(forked, reached);
}

/** Once the network has more blocks than before, an operator has what is gone taken back, as the programs say, and they go on. */
export async function takeBack({ network, devnet, programs }: ForkedNetwork, reached: number): Promise<void> {
  while ((await devnet.simulation.produceBlock()) <= reached);
  for (const each of programs) await takeBackOf(each, network);
}

async function takeBackOf(
  { program, folder, settings }: FollowingProgram,
  network: TonNetwork,
): Promise<void> {
  const command = ['networks', 'verify', '--network', `ton:${network}`, '--fix'];
  const check = () => indexerCheck(program, network);
  await until(check, found => found.includes('was indexed') && found.includes(command.join(' ')));
  // The command reads the projections of all features.
  await program.deps.engines.log.declare(TOPICS);
  await runCommand(
    [networksCommand],
    () => readConfig({ ...NETWORKS_OFF, ...settings, DATA_DIR: folder, LOG_LEVEL: 'fatal' }),
    ['--json', ...command],
  );
  await until(check, found => found === 'ok');
}

async function indexerCheck(program: FollowingProgram['program'], network: TonNetwork): Promise<string> {
  const { body } = await request(express().use(...program.operatorsPages)).get('/health/ready');
  return (body as { checks: Record<string, string> }).checks[`indexer_ton_${network}`]!;
}
