import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { RebuildReport } from '../../../../projections/engine/rebuild';
import { send } from '../../../e2e/client';
import { untilProjected } from '../../../e2e/projected';
import { startTidemark, tidemarkJson, type Settings, type Tidemark } from '../../../e2e/tidemark';
import { LOCAL_MAINNETS, NETWORKS_OFF } from '../../../local-networks';
import { until } from '../../../until';
import { startProgram } from '../../program';
import { connect, type Node } from '../node';
import { passTime } from './pass-time';

/** A program that follows the chain of another one. It is asked, and killed between the steps; the other one never is. */
export interface Follower {
  /** Has the chain and its own view of it. */
  readonly host: Tidemark;
  readonly node: Node;
  readonly url: string;
  killAndStart(): Promise<void>;
  /** Lets time pass until it has happened; somewhere on the way the program is killed. */
  passTime(hasHappened: () => Promise<boolean>): Promise<void>;
  /** Rebuilds all projections, and expects each, that of stakes among them, to have the documents that it had. */
  expectRebuildEqual(): Promise<void>;
  stop(): Promise<void>;
}

const INDEXED_HEIGHT = /^tidemark_indexer_indexed_height\{chain="ton",network="mainnet"\} (\d+)$/m;

async function indexedHeight({ operatorsUrl }: Tidemark): Promise<number> {
  const [, height] = INDEXED_HEIGHT.exec(String((await send(operatorsUrl, 'GET', '/metrics')).body)) ?? [];
  return Number(height);
}

/** @param folder for the data of both */
export async function startFollower(folder: string): Promise<Follower> {
  const host = await startProgram(join(folder, 'host'), LOCAL_MAINNETS);
  const node = await connect(host.url, 'mainnet');
  const settings: Settings = {
    ...NETWORKS_OFF,
    DATA_DIR: join(folder, 'killed'),
    TON_RPC_URL_MAINNET: node.endpoint,
  };
  let program = await startTidemark(settings);

  const killAndStart = async (): Promise<void> => {
    expect(await program.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    program = await startTidemark(settings);
  };
  /** Until it has read and folded the present chain. */
  const followed = async (): Promise<void> => {
    const tip = await node.tip();
    await until(
      () => indexedHeight(program),
      height => height >= tip,
    );
    await untilProjected(program.operatorsUrl);
  };
  return {
    host,
    node,
    get url() {
      return program.url;
    },
    killAndStart,
    passTime: async hasHappened => {
      let steps = randomInt(6);
      await passTime(host.url, followed, async () => {
        if (steps-- === 0) await killAndStart();
        return hasHappened();
      });
    },
    expectRebuildEqual: async () => {
      const rebuilt = await tidemarkJson<RebuildReport[]>(['rebuild', '--all', '--verify'], settings);
      // A projection that has had nothing to fold is not compared.
      const compared = rebuilt.flatMap(({ projection, comparison }) =>
        comparison ? [[projection, comparison.different, comparison.inconclusive]] : [],
      );
      expect(compared).toContainEqual(['ton-stakes', 0, 0]);
      for (const each of compared) expect(each).toEqual([each[0], 0, 0]);
    },
    stop: async () => {
      await program.kill('SIGTERM');
      await host.kill('SIGTERM');
    },
  };
}
