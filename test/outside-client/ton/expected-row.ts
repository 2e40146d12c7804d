import { Address, Cell, type Message } from '@ton/core';
import type { Json } from '../program';
import { hash256, hashOf, sentBy, type Entry, type Internal } from './chain';
import { bounceOf, effectiveBody, meaningOf, textOf, type Parties } from './expected-meaning';
import { internalOf, type Truth } from './truth';

/** A message that describes a transaction: sent, requested, or received. */
interface Subject extends Parties {
  readonly value: bigint;
}

function subjectOf({ info, body }: Internal): Subject {
  const { src, dest, bounced: isBounced, value } = info;
  return { src: src.toRawString(), dest: dest.toRawString(), isBounced, body, value: value.coins };
}

function unsentSubjects(truth: Truth, entry: Entry): Subject[] {
  return truth.outcomes(entry).flatMap(({ requested: { info, body }, sent }) =>
    sent || info.type !== 'internal'
      ? []
      : [
          {
            src: entry.account,
            dest: info.dest.toRawString(),
            isBounced: false,
            body,
            value: info.value.coins,
          },
        ],
  );
}

/** Bodies as hashes: a bag of cells can be written in several ways. */
const hashOfBody = (body: Cell): string => body.hash().toString('hex');

function messageRow(message: Message, friendly: (raw: string) => string): Json {
  const { info, body, init } = message;
  const content = {
    body: hashOfBody(body),
    init: init && {
      splitDepth: init.splitDepth ?? null,
      code: init.code ? hashOfBody(init.code) : null,
      data: init.data ? hashOfBody(init.data) : null,
      special: init.special ?? null,
      ...(init.libraries?.size && {
        libraries: [...init.libraries].map(([hash, { public: isPublic, root }]) => ({
          hash: hash256(hash),
          public: isPublic,
          root: hashOfBody(root),
        })),
      }),
    },
  };
  if (info.type === 'external-in')
    return {
      ...content,
      info: { type: info.type, dest: friendly(info.dest.toRawString()), src: null, importFee: '0' },
    };
  if (info.type === 'external-out') {
    const { bits, value } = info.dest!;
    return {
      ...content,
      info: { type: info.type, dest: { bits, data: value.toString(16).padStart(bits / 4, '0') } },
    };
  }
  return {
    ...content,
    info: {
      type: 'internal',
      value: info.value.coins.toString(),
      src: friendly(info.src.toRawString()),
      dest: friendly(info.dest.toRawString()),
      bounced: info.bounced,
      bounce: info.bounce,
      ihrDisabled: info.ihrDisabled,
      createdAt: info.createdAt,
      createdLt: info.createdLt.toString(),
      fwdFee: info.forwardFee.toString(),
      ihrFee: '0',
      extraFlags: Number(info.ihrFee),
    },
  };
}

/** A row of a history with bodies as hashes, and without the order of what has none. */
export function comparable(row: Json): Json {
  const hashed = (boc: string | null): string | null => boc && hashOfBody(Cell.fromBase64(boc));
  const message = ({ body, init, info }: Json): Json => ({
    body: hashed(body),
    init: init && {
      ...init,
      code: hashed(init.code),
      data: hashed(init.data),
      ...(init.libraries && {
        libraries: init.libraries.map((each: Json) => ({ ...each, root: hashed(each.root) })),
      }),
    },
    info,
  });
  return {
    ...row,
    inMessage: row.inMessage && message(row.inMessage),
    outMessages: row.outMessages.map(message),
    parsed: { ...row.parsed, mentioned: row.parsed.mentioned.toSorted() },
  };
}

/** What a history must say of a transaction, from the node's answers and the client's own requests. */
export function expectedRow(truth: Truth, entry: Entry): Json {
  const { account, tx } = entry;
  const friendly = (raw: string): string => truth.scenario.friendly(Address.parseRaw(raw));
  const isOwn = truth.isOwn(entry);
  const received = internalOf(tx.inMessage);
  const sent = sentBy(entry).map(subjectOf);
  const unsent = unsentSubjects(truth, entry);
  const subjects = isOwn ? (sent.length > 0 ? sent : unsent) : [subjectOf(received!)];
  const [subject] = subjects;
  const isBounced = received?.info.bounced ?? false;
  const other = subject ? (isOwn ? subject.dest : subject.src) : account;
  const value = subjects.reduce((sum, each) => sum + each.value, 0n) * (isOwn ? -1n : 1n);
  const meaning = subject ? meaningOf(subject, account, truth.jettonWallets) : {};
  const bounce = isBounced ? bounceOf(received!.body) : undefined;
  const parties = [...[...(received ? [received] : []), ...sentBy(entry)].map(subjectOf), ...unsent].flatMap(
    ({ src, dest }) => [src, dest],
  );
  const dest = isOwn ? subject?.dest : isBounced ? subject?.src : undefined;
  return {
    address: friendly(account),
    lt: tx.lt.toString(),
    hash: hashOf(entry),
    prevTransaction: { lt: tx.prevTransactionLt.toString(), hash: hash256(tx.prevTransactionHash) },
    time: tx.now,
    outMessagesCount: tx.outMessagesCount,
    oldStatus: tx.oldStatus,
    newStatus: tx.endStatus,
    fees: tx.totalFees.coins.toString(),
    update: {
      oldHash: tx.stateUpdate.oldHash.toString('base64'),
      newHash: tx.stateUpdate.newHash.toString('base64'),
    },
    inMessage: tx.inMessage ? messageRow(tx.inMessage, friendly) : null,
    outMessages: tx.outMessages.values().map(message => messageRow(message, friendly)),
    parsed: {
      seqno: seqnoOf(truth, entry),
      body: bodyOf(subject),
      status: truth.status(entry),
      dest: dest === undefined ? null : friendly(dest),
      kind: isOwn ? 'out' : 'in',
      amount: value.toString(),
      resolvedAddress: friendly(other),
      bounced: isBounced,
      ...(bounce && { bounce }),
      mentioned: [...new Set(parties)]
        .filter(party => party !== account)
        .map(friendly)
        .sort(),
    },
    operation: {
      address: friendly(meaning.address ?? other),
      ...(meaning.comment !== undefined && { comment: meaning.comment }),
      items: [
        ...(meaning.token
          ? [{ kind: 'token', amount: meaning.token.amount, master: friendly(meaning.token.master) }]
          : []),
        { kind: 'ton', amount: value.toString() },
      ],
      ...(meaning.op && { op: meaning.op }),
    },
    ...(unsent.length > 0 && {
      unsent: unsent.map(each => {
        const { comment } = meaningOf(each, account, new Map());
        return {
          dest: friendly(each.dest),
          amount: each.value.toString(),
          ...(comment !== undefined && { comment }),
        };
      }),
    }),
  };
}

const SIGNED_EXTERNAL = 0x7369676e;

/** That of the request; of the faucet's, a v5 wallet, as it has signed it. */
function seqnoOf(truth: Truth, entry: Entry): number | null {
  const { inMessage } = entry.tx;
  if (inMessage?.info.type === 'external-in' && inMessage.body.bits.length > 128) {
    const body = inMessage.body.beginParse();
    if (body.loadUint(32) === SIGNED_EXTERNAL) return body.skip(32 + 32).loadUint(32);
  }
  return truth.requestOf(entry)?.seqno ?? null;
}

function bodyOf(subject: Subject | undefined): Json {
  if (!subject) return null;
  const body = effectiveBody(subject);
  const comment = textOf(body, subject.isBounced);
  if (comment !== undefined) return { type: 'comment', comment };
  return body.remainingBits < 32 || body.preloadUint(32) === 0 ? null : { type: 'payload' };
}
