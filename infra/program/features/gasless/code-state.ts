import { WrongNetwork } from '../../../../contracts/network/wrong-network';
import { compareWithListed, type JettonState } from '../../../../services/gasless/jettons/state';
import type { ListedJetton } from '../../../../services/gasless/jettons/decider';
import { readMaster, type MasterReader } from './read-master';

const TEXTS = {
  as_listed: 'as listed',
  master_changed: 'changed: that of the master',
  wallet_changed: 'changed: that of the wallets',
  other_decimals: 'other decimals',
  no_jetton: 'no jetton: it does not answer as one',
  no_contract: 'no contract: nothing is deployed there',
  frozen: 'frozen',
  not_recorded: 'not read yet',
  behind: 'not read: the nodes are behind',
  wrong_network: 'not read: the nodes serve another network',
  unknown: 'unknown: no node answers',
} as const;

/** As commands show it. */
export interface CodeState {
  readonly code: keyof typeof TEXTS;
  /** As the chain says, where they are others than the listed ones. */
  readonly chainDecimals: number | null;
}

/** How a jetton on the chain compares with what is listed. @param reader without a client where it is not known where nodes are */
export async function codeStateOf(
  { client, ...reader }: Omit<MasterReader, 'client'> & { readonly client: MasterReader['client'] | null },
  jetton: ListedJetton,
): Promise<CodeState> {
  const only = (code: CodeState['code']): CodeState => ({ code, chainDecimals: null });
  if (!client) return only('unknown');
  try {
    const found = compareWithListed(jetton, await readMaster({ ...reader, client }, jetton.master));
    return found.state === 'other_decimals'
      ? { code: found.state, chainDecimals: found.decimals }
      : only(nameOf(found, jetton));
  } catch (error) {
    return only(error instanceof WrongNetwork ? 'wrong_network' : 'unknown');
  }
}

function nameOf(
  found: Exclude<JettonState, { state: 'other_decimals' }>,
  { code }: ListedJetton,
): CodeState['code'] {
  if (found.state === 'other_code') return `${found.change.of}_changed`;
  return found.state === 'as_listed' && !code ? 'not_recorded' : found.state;
}

export function describeCodeState({ code, chainDecimals }: CodeState): string {
  return chainDecimals === null ? TEXTS[code] : `${TEXTS[code]}: the chain says ${chainDecimals}`;
}

/** What is wrong with a jetton; null also while that is not known. */
export function faultOfCode({ code }: CodeState): 'other_code' | 'unusable' | null {
  switch (code) {
    case 'master_changed':
    case 'wallet_changed':
      return 'other_code';
    case 'other_decimals':
    case 'no_jetton':
    case 'no_contract':
    case 'frozen':
      return 'unusable';
    default:
      return null;
  }
}
