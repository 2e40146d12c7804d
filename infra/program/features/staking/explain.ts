import { z } from 'zod';
import type { ApyOfRound, NominatorAnswer } from '../../../../contracts/http/staking/indexer';

/** How the yield of a round follows from the observations, step by step. */
export function explainRound(of: ApyOfRound): string[] {
  const { round, time, before, after, election, profit, surplus, perCoin } = of;
  const { bonuses, totalStake, electedFor } = election;
  const shared = BigInt(profit) - BigInt(surplus);
  const share =
    shared < 0n
      ? `${shared} * 10^13 / ${before.balance}`
      : `${shared} * 10^13 * (10000 - ${before.poolFee}) / (${before.balance} * 10000)`;
  return [
    `round ${round}, whose stake came back at ${time}`,
    `  block ${before.seqno}: balance ${before.balance}, sent ${before.sent}, profit_per_coin ${before.profitPerCoin}, fee ${before.poolFee} of 10000`,
    `  block ${after.seqno}: balance ${after.balance}, profit_per_coin ${after.profitPerCoin}`,
    `  profit: ${profit}, of which ${surplus} was added when the stake was asked for`,
    `  for each coin: floor(${share}) = ${perCoin} of 10^13`,
    `  election as of block ${election.seqno}: bonuses ${bonuses}, total stake ${totalStake}, ${electedFor} s`,
    `  poolApy: ((1 + ${perCoin} / 10^13) ^ floor(31536000 / (2 * ${electedFor})) - 1) * 100 = ${of.poolApy}`,
    `  globalApy: ((1 + floor(${bonuses} * 10^6 / ${totalStake}) / 10^6) ^ floor(31536000 / (2 * ${electedFor})) - 1) * 100 = ${of.globalApy}`,
    ...(of.missedRounds > 0 ? [`  ${of.missedRounds} rounds before it could not be read`] : []),
  ];
}

/** How the profit of a member follows from its movements and what the pool says. */
export function explainMember(of: NominatorAnswer): string[] {
  const { balance, withdraw, pendingDeposit, totalWithdrawAmount, totalDepositAmount, profitAmount } = of;
  const moved = (sign: string, movements: NominatorAnswer['deposits']): string[] =>
    movements.map(({ time, amount, trigger }) => `  ${time}  ${sign}${amount}  by ${trigger}`);
  return [
    'deposits, without fees:',
    ...moved('', of.deposits),
    'withdrawals that were paid:',
    ...moved('-', of.withdraws),
    `as of block ${of.seqno}, read at ${of.at}:`,
    `  balance ${balance}, ready ${withdraw}, pending deposit ${pendingDeposit}`,
    `  profit: ${balance} + ${withdraw} + ${pendingDeposit} + ${totalWithdrawAmount} - ${totalDepositAmount} = ${profitAmount}`,
    'of which in the rounds:',
    ...of.profits.map(
      ({ round, time, amount, seqno, rounds }) =>
        `  ${time}  ${amount}  round ${round}, block ${seqno}${rounds > 1 ? `, with ${rounds - 1} before it` : ''}`,
    ),
  ];
}

const problem = z.object({ detail: z.string() });
const TIMEOUT_MS = 120_000;

/** Asks the program, as wallets do. @throws Error with what it refused */
export async function askIndexer<T>(url: string, path: string, body: object): Promise<T> {
  const response = await fetch(`${url}/staking-indexer/indexer/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as T;
  const refused = problem.safeParse(answer);
  throw new Error(refused.success ? refused.data.detail : `HTTP ${response.status}`);
}
