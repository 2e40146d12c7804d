import type { JettonCode } from '../../../contracts/events/gasless-jetton';
import type { ListedJetton } from './decider';

/** What nodes say of the account of a master. */
export type MasterReading =
  | {
      readonly state: 'jetton';
      readonly code: JettonCode;
      /** Null where neither its content nor the document that this names says any. */
      readonly decimals: number | null;
    }
  /** Its code has no `get_jetton_data` that answers as TEP-74 has it. */
  | { readonly state: 'no_jetton'; readonly code: string }
  | { readonly state: 'no_contract' | 'frozen' }
  /** The newest block of the nodes is old: what the account is now is not known. */
  | { readonly state: 'behind' };

/** A contract of a jetton that has other code than when the jetton was listed. */
export interface ChangedCode {
  /** Raw. */
  readonly master: string;
  readonly of: 'master' | 'wallet';
  /** Hashes, hex; `found` is null where there is no code. */
  readonly listed: string;
  readonly found: string | null;
}

/** How what nodes say compares with what is listed. */
export type JettonState =
  | { readonly state: 'as_listed'; readonly code: JettonCode }
  | { readonly state: 'no_jetton' | 'no_contract' | 'frozen' | 'behind' }
  | { readonly state: 'other_decimals'; readonly decimals: number }
  | { readonly state: 'other_code'; readonly change: ChangedCode };

/** Of a jetton whose code is not recorded yet, the code that was found is the listed one. */
export function compareWithListed(
  { master, code, decimals }: Pick<ListedJetton, 'master' | 'code' | 'decimals'>,
  reading: MasterReading,
): JettonState {
  if (reading.state === 'no_jetton' && code && reading.code !== code.master)
    return {
      state: 'other_code',
      change: { master, of: 'master', listed: code.master, found: reading.code },
    };
  if (reading.state !== 'jetton') return { state: reading.state };
  const found = reading.code;
  for (const part of ['master', 'wallet'] as const)
    if (code && found[part] !== code[part])
      return {
        state: 'other_code',
        change: { master, of: part, listed: code[part], found: found[part] },
      };
  if (reading.decimals !== null && reading.decimals !== decimals)
    return { state: 'other_decimals', decimals: reading.decimals };
  return { state: 'as_listed', code: found };
}

/** Why a jetton cannot pay now; null where it can, and while that is not known. */
export function faultOfState(found: JettonState): string | null {
  switch (found.state) {
    case 'as_listed':
    case 'behind':
      return null;
    case 'no_jetton':
      return 'no jetton';
    case 'no_contract':
      return 'no contract';
    case 'frozen':
      return 'frozen';
    case 'other_decimals':
      return `other decimals: the chain says ${found.decimals}`;
    case 'other_code':
      return `other code: that of the ${found.change.of}`;
  }
}
