import { Command } from 'commander';
import { z } from 'zod';
import type { WithoutMetadata } from '../../../../contracts/decider';
import { cardUserId, cardUserStream } from '../../../../contracts/events/card-user';
import { TON_NETWORKS } from '../../../../contracts/network/network';
import type { EventStore } from '../../../../contracts/ports/event-store';
import { counted } from '../../../../contracts/text/counted';
import { Problem } from '../../../../contracts/problem/problem';
import { cardUserState, type CardUser } from '../../../../projections/card/fold-user';
import { cardTokensProjection, findCardTokens } from '../../../../projections/card/tokens';
import { publicUserId } from '../../../../services/card/user/profile';
import { cardUserKind, type CardUserCommand } from '../../../../services/card/user/decider';
import { createHandle } from '../../../../services/commands/handle';
import { load } from '../../../../services/commands/load';
import type { Config } from '../../../config/settings';
import { asOperator, decideAsOperator } from '../../commands/operator';
import { print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withReads } from '../../commands/reading';
import { withEngines } from '../../commands/with-engines';
import { openPersonalTexts } from '../../personal-texts';

/** Card holders. What is personal of them is not shown. */
export function cardUserCommand(config: () => Config): Command {
  return new Command('user')
    .description('card holders')
    .addCommand(findCommand(config))
    .addCommand(showCommand(config))
    .addCommand(suspendCommand(config))
    .addCommand(resumeCommand(config))
    .addCommand(revokeCommand(config));
}

const userId = z.uuid({ version: 'v5', error: 'must be the id of a card holder, a UUID' });
const MAX_TOKENS = 1_000;

const searched = z.object({
  network: z.enum(TON_NETWORKS),
  key: z.string().regex(/^[0-9a-fA-F]{64}$/, '32 bytes, hexadecimal'),
});

const findCommand = (config: () => Config): Command =>
  new Command('find')
    .description('find a card holder by the public key of their wallets')
    .requiredOption('--network <network>', 'mainnet or testnet')
    .requiredOption('--key <key>', 'Ed25519, hexadecimal')
    .action(async (flags: object, command: Command) => {
      const { network, key } = parseInput(searched, flags);
      const id = cardUserId(network, key);
      await withEngines(config(), ({ engines }) =>
        expectUser(engines.store, id, `No card holder on ${network} has this key.`),
      );
      const publicId = publicUserId(id);
      print({ userId: id, publicId }, [`${id}  in the app: ${publicId}`], command);
    });

const showCommand = (config: () => Config): Command =>
  new Command('show')
    .description('show what a card holder has done, and how many tokens they have')
    .argument('<userId>')
    .action(async (given: string, _: object, command: Command) => {
      const id = idOf(given);
      await withReads(config(), [cardTokensProjection], async ({ engines, engine }) => {
        const user = await expectUser(engines.store, id);
        const tokens = await findCardTokens(engine.views, id, MAX_TOKENS);
        const now = new Date().toISOString();
        const live = tokens.filter(
          ({ revoked, epoch, expiresAt }) => !revoked && epoch === user.epoch && expiresAt > now,
        ).length;
        const shown = viewOf(user, live);
        print(
          shown,
          [
            `${id}: ${shown.state}${user.suspended ? ', suspended' : ''}, ${counted(live, 'token')}`,
            ...user.wallets.map(({ chain, address, version }) => `${chain} ${version ?? ''} ${address}`),
          ],
          command,
        );
      });
    });

const viewOf = (user: CardUser, tokens: number) => ({
  userId: user.userId,
  network: user.network,
  publicKey: user.publicKey,
  state: cardUserState(user),
  suspended: user.suspended,
  kyc: { startedAt: user.kyc.startedAt, result: user.kyc.result, decidedAt: user.kyc.decidedAt },
  enrolledAt: user.enrolledAt,
  wallets: [...user.wallets],
  tokens,
});

const suspendCommand = (config: () => Config): Command =>
  new Command('suspend')
    .description('suspend a card holder: no purchase is authorised, and they can change nothing')
    .argument('<userId>')
    .requiredOption('--reason <text>', 'for the record')
    .action(async (given: string, { reason }: { readonly reason: string }, command: Command) => {
      const id = idOf(given);
      const text = parseInput(z.object({ reason: z.string().trim().min(1).max(1_000) }), { reason });
      const settings = config();
      const changed = await asOperator(settings, command, { userId: id }, async ({ engines }, operator) => {
        await expectUser(engines.store, id);
        const texts = await openPersonalTexts(settings, engines);
        const encrypted = await texts.encrypt(id, text.reason);
        const outcome = await createHandle(engines)(cardUserKind, cardUserStream(id), {
          type: 'suspend',
          reason: encrypted,
          metadata: operator.metadata(),
        });
        if (outcome.refusal) throw Problem.of(outcome.refusal);
        operator.addSubject({ changed: String(outcome.events.length > 0) });
        return outcome.events.length > 0;
      });
      report(command, id, changed, 'suspended');
    });

const resumeCommand = (config: () => Config): Command =>
  new Command('resume')
    .description('end the suspension of a card holder')
    .argument('<userId>')
    .action(async (given: string, _: object, command: Command) => {
      const id = idOf(given);
      report(command, id, await decide(config(), command, id, { type: 'resume' }), 'resumed');
    });

const revokeCommand = (config: () => Config): Command =>
  new Command('revoke-tokens')
    .description('end all tokens of a card holder, whose wallets then have to sign again')
    .argument('<userId>')
    .action(async (given: string, _: object, command: Command) => {
      const id = idOf(given);
      report(
        command,
        id,
        await decide(config(), command, id, { type: 'revoke_tokens' }),
        'all tokens revoked',
      );
    });

async function decide(
  config: Config,
  command: Command,
  id: string,
  given: WithoutMetadata<CardUserCommand>,
): Promise<boolean> {
  const { changed } = await decideAsOperator(config, command, {
    about: { userId: id },
    kind: cardUserKind,
    stream: cardUserStream(id),
    given,
  });
  return changed;
}

const idOf = (given: string): string => parseInput(z.object({ userId }), { userId: given }).userId;

/** @throws Problem 404 */
async function expectUser(
  store: Pick<EventStore, 'readStream'>,
  id: string,
  detail = `There is no card holder ${id}.`,
): Promise<CardUser> {
  const user = await load(store, cardUserKind, cardUserStream(id));
  if (!user) throw new Problem('card_user_not_found', detail);
  return user;
}

function report(command: Command, id: string, changed: boolean, done: string): void {
  print({ userId: id, changed }, [`${id}: ${changed ? done : 'is the same'}`], command);
}
