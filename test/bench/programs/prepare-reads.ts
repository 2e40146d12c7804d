import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import { readConfig } from '../../../infra/program/settings/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { fillWalletOrders } from '../fill/exchange-orders';
import { fillApp } from '../fill/apps';
import { fillCardHolders, type CardHolder } from '../fill/card-holders';
import { fillFees } from '../fill/fees';
import { project } from '../fill/projected';
import { fillPrices } from '../fill/prices';
import { fillSolanaHistory, type SolanaHistory } from '../fill/solana-history';
import { fillTonHistories, type TonHistory } from '../fill/ton-history';
import { fillTonJettons } from '../fill/ton-jettons';
import { fillTonStakes } from '../fill/ton-stakes';
import { declareTopics } from '../fill/topics';

export interface Filled {
  readonly ton: TonHistory;
  /** Friendly address of the owner of 200 jettons. */
  readonly jettonOwner: string;
  /** Address of an application. */
  readonly app: string;
  readonly solana: SolanaHistory;
  /** Of the member of pools. */
  readonly stakes: { readonly deposits: number; readonly newest: TransactionRef };
  readonly card: CardHolder;
  readonly exchange: Awaited<ReturnType<typeof fillWalletOrders>>;
}

/** That the fees are of. */
const DAYS = 187;
const TRANSACTIONS = 120;
const EXCHANGE_ORDERS = 40;
const PURCHASES = 100;
const OWNER = 'So11111111111111111111111111111111111111112';

/** Program: fills the data folder for the read endpoints. */
async function main(feeEvents: number, tonAccounts: number, deposits: number): Promise<void> {
  const engines = openEmbeddedEngines(readConfig(process.env));
  await declareTopics(engines.log);
  await fillFees(engines.store, feeEvents, Math.floor((feeEvents * 3) / 4 / DAYS));
  const [ton, jettonOwner] = await fillTonHistories(engines.log, tonAccounts, TRANSACTIONS);
  await fillTonJettons(engines.log);
  const newest = await fillTonStakes(engines.log, deposits);
  await fillPrices(engines.log);
  const app = await fillApp(engines.log);
  const solana = await fillSolanaHistory(engines.log, OWNER, TRANSACTIONS);
  const [card] = await fillCardHolders(engines.store, 1, PURCHASES);
  const exchange = await fillWalletOrders(engines.store, EXCHANGE_ORDERS);
  await project(engines);
  await engines.close();
  process.send!({
    ton: ton!,
    jettonOwner: jettonOwner!.address,
    app,
    solana,
    exchange,
    card: card!,
    stakes: { deposits, newest },
  } satisfies Filled);
  process.disconnect();
}

const [feeEvents, tonAccounts, deposits] = process.argv.slice(2).map(Number);
void main(feeEvents!, tonAccounts!, deposits!);
