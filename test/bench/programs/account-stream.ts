import type { JsonObject } from '../../../contracts/json/json';
import { mentioning } from '../../solana/raw-transactions';
import { SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import { newMessage } from '../../../indexers/solana/records';
import { openEngines, type Engines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { createLogger } from '../../../infra/config/logger';
import { start } from '../../../infra/program/main';
import { ROLES } from '../../../infra/program/features';
import { fillSolanaHistory } from '../fill/solana-history';
import type { StreamRequest } from '../stream';

/**
 * Program: all of Tidemark as `npm start` runs it, under the settings of the environment. Its log has the history of the
 * accounts, as a backfill publishes it: streams notify only of a history that can be read. Reports its URL; on request its
 * memory, and publishes a transaction of an account as the indexer would.
 */
async function main(accounts: readonly string[]): Promise<void> {
  const config = readConfig(process.env);
  let engines: Engines | undefined;
  const running = await start(
    config,
    createLogger(config.LOG_LEVEL),
    ROLES,
    async (...how) => (engines = await openEngines(...how)),
  );

  for (const account of accounts) await fillSolanaHistory(engines!.log, account, 1);

  const publish = async (account: string, slot: number): Promise<string> => {
    const signature = `signature-${slot}`;
    const transaction = newMessage({
      type: 'transaction',
      network: 'mainnet',
      account,
      signature,
      slot,
      blockhash: `blockhash-${slot}`,
      index: 0,
      blockTime: slot,
      mints: [],
      finality: 'confirmed',
      origin: 'tail',
      mentioned: true,
      balance: '1000000000',
      raw: mentioning(signature, account) as unknown as JsonObject,
    });
    const began = process.hrtime.bigint().toString();
    await engines!.log.publish(SOLANA_TRANSACTIONS.name, [transaction]);
    return began;
  };

  process.on('message', (request: StreamRequest) => {
    if (request === 'memory') process.send!(process.memoryUsage.rss());
    else void publish(request.account, request.slot).then(began => process.send!(began));
  });
  process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
  process.send!(running.url);
}

void main(process.argv.slice(2));
