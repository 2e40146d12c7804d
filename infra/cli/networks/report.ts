import { counted } from '../../../contracts/text/counted';
import { describeIdentity } from '../../../indexers/network-identity';

/** What a verification of one network has found. */
export interface NetworkReport {
  /** Such as `ton:mainnet`. */
  readonly network: string;
  /** What the stored data is said to be of (null: nothing yet), and what the configured sources are. */
  readonly identity: { readonly stored: string | null; readonly source: string };
  /** Whether the source has the block up to which the network was indexed; null when it was not, or cannot be compared. */
  readonly cursor: boolean | null;
  /** Stored transactions that were compared with the source. */
  readonly transactions: number;
  /** Those that the network does not have. */
  readonly false: number;
  /** Those that the source can no longer answer for. */
  readonly unknown: number;
  /** Accounts whose history is false or incomplete and has to be read again. */
  readonly accounts: readonly string[];
  readonly fixed: boolean;
}

export function isSound({ identity, cursor, accounts, ...report }: NetworkReport): boolean {
  const isOurs = identity.stored === null || identity.stored === identity.source;
  return isOurs && cursor !== false && report.false === 0 && accounts.length === 0;
}

export function reportLines(report: NetworkReport): string[] {
  const { network, identity, cursor, transactions, unknown, accounts, fixed } = report;
  if (isSound(report))
    return [
      `${network}: ${counted(transactions, 'transaction')}, none of another network${unknownOf(unknown)}`,
    ];
  return [
    `${network}: ${counted(transactions, 'transaction')}, ${report.false} false${unknownOf(unknown)}, ${counted(accounts.length, 'account')} to read again: ${fixed ? 'fixed' : 'not fixed'}`,
    ...(identity.stored !== null && identity.stored !== identity.source
      ? [
          `  indexed from ${describeIdentity(identity.stored)}; the sources are ${describeIdentity(identity.source)}`,
        ]
      : []),
    ...(cursor === false ? ['  the source does not have the block up to which it was indexed'] : []),
    ...accounts.slice(0, MAX_SHOWN).map(account => `  ${account}`),
    ...(accounts.length > MAX_SHOWN ? [`  and ${accounts.length - MAX_SHOWN} more`] : []),
  ];
}

/** Accounts in the lines for people; JSON has all. */
const MAX_SHOWN = 20;

const unknownOf = (count: number): string =>
  count === 0 ? '' : `, ${count} that the source no longer knows`;
