import { loadStateInit } from '@ton/core';
import { refusal, type GaslessRefusal, type Relayer } from '../deps';
import type { JettonMessage } from '../request/jetton-message';
import type { ListedJetton } from './decider';
import { faultOfState, type ChangedCode, type JettonState } from './state';

/**
 * Refuses a jetton that has other code than when it was listed: its master, whose admin may have upgraded it, or the wallet that a
 * transfer is asked of. What is emulated of it is not what operators have agreed to. Both accounts are read as of the newest block,
 * as a transfer reads them anyway. What else keeps a jetton from paying is known from the last look at it.
 */
export async function codeFault(
  relayer: Pick<Relayer, 'client' | 'stateOf' | 'knownStateOf' | 'reportChange'>,
  jetton: ListedJetton,
  target: JettonMessage,
): Promise<GaslessRefusal | null> {
  const { master } = jetton;
  const { seqno } = await relayer.client.getLastBlock();
  const [known, ofMaster, ofWallet] = await Promise.all([
    stateOf(relayer, jetton),
    codeAt(relayer, seqno, master),
    codeAt(relayer, seqno, target.to),
  ]);
  if (ofMaster === null) return refusal('try-later', 'the master has no code');
  const listed = jetton.code ?? (known.state === 'as_listed' ? known.code : null);
  // The code is compared as it is now.
  const fault = known.state === 'other_code' ? null : faultOfState(known);
  if (fault !== null || !listed)
    return refusal('try-later', `the jetton cannot pay: ${fault ?? 'its code has not been read yet'}`);
  // Without any there is no wallet: the emulation shows what comes of that.
  const wallet = ofWallet ?? codeInState(target) ?? listed.wallet;
  const change =
    changed({ master, of: 'master', listed: listed.master, found: ofMaster }) ??
    changed({ master, of: 'wallet', listed: listed.wallet, found: wallet });
  if (!change) return null;
  relayer.reportChange(change);
  return refusal('try-later', `the jetton has other code than when it was listed: its ${change.of}`);
}

/** What was found last, without a wait for nodes, unless it would be a reason to refuse. */
function stateOf(
  relayer: Pick<Relayer, 'stateOf' | 'knownStateOf'>,
  jetton: ListedJetton,
): JettonState | Promise<JettonState> {
  const known = relayer.knownStateOf(jetton);
  return known && faultOfState(known) === null ? known : relayer.stateOf(jetton);
}

const changed = (code: ChangedCode): ChangedCode | null => (code.found === code.listed ? null : code);

async function codeAt(
  { client }: Pick<Relayer, 'client'>,
  seqno: number,
  address: string,
): Promise<string | null> {
  const { code } = await client.getAccount(seqno, address);
  return code && code.hash().toString('hex');
}

/** Of the wallet that the transfer itself deploys, as that of a mintless jetton. */
function codeInState({ init }: JettonMessage): string | null {
  const code = init && loadStateInit(init.beginParse()).code;
  return code ? code.hash().toString('hex') : null;
}
