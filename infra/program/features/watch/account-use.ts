import type { AccountRef } from '../../../../contracts/network/network';
import type { AccountUse } from '../../../../services/watch-account';
import type { FeatureSet, ProgramDeps } from '../../feature';

function useOf({ all }: FeatureSet, { chain }: AccountRef): AccountUse | undefined {
  return all.map(({ accountUse }) => accountUse).find(use => use?.chain === chain);
}

/** Whether the documents have a transaction of an account; false also while they cannot be read. */
export async function hasTransaction(
  { features, engine }: Pick<ProgramDeps, 'features' | 'engine'>,
  account: AccountRef,
): Promise<boolean> {
  try {
    return (await useOf(features, account)?.hasTransaction(engine.views, account)) ?? false;
  } catch {
    return false;
  }
}

/** Whether an account has a transaction or a balance; null when that cannot be known now. */
export async function isUsed(
  { features, engine, sources, logger }: Pick<ProgramDeps, 'features' | 'engine' | 'sources' | 'logger'>,
  account: AccountRef,
): Promise<boolean | null> {
  const use = useOf(features, account);
  if (!use) return null;
  try {
    return (
      (await use.hasTransaction(engine.views, account)) || (await use.isOnChain(sources.clients, account))
    );
  } catch (error) {
    logger.debug({ err: error, ...account }, 'it is not known whether a watched account is used');
    return null;
  }
}
