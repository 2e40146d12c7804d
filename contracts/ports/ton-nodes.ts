import type { LatestBlock } from '../chain/ton-v4';
import type { VerifiedSources } from '../network/network-identity';

/** Two blocks of one seqno differ in their root hash. */
export interface MasterchainBlock {
  readonly seqno: number;
  /** Base64. */
  readonly rootHash: string;
}

/** A `GET` of the HTTP API v4. */
export interface NodeRead<Answer> {
  /** Begins with `/`. */
  readonly path: string;
  /** Validates an answer: null when the node does not have the block. @throws when it answers something else */
  parse(json: unknown): Answer | null;
  /** The masterchain block that the answer says it is of, if it says so. */
  blockOf?(answer: Answer): MasterchainBlock | null;
  /** It was asked for by a hash, which `parse` has compared. */
  readonly byHash?: boolean;
}

/**
 * The nodes of a TON network by their HTTP API v4, as one. A node of another network is not used, nor one on another chain of
 * blocks than what was read before, unless most of the nodes are, or those that it contradicts have changed theirs. Every call
 * rejects when no node answers: with `WrongNetwork` when what answers is of another network.
 */
export interface TonNodes extends VerifiedSources {
  /** The newest block that a node has, of those that answer in time. */
  latest(): Promise<LatestBlock>;
  /** Null when no node has what is asked for. @throws ReadRefused */
  read<Answer>(read: NodeRead<Answer>): Promise<Answer | null>;
  /** Sends an external message to all nodes. @returns the status of one that took it @throws MessageRefused */
  send(boc: Buffer): Promise<number>;
  /** What is wrong with each node that is on another chain of blocks, as far as it was asked. */
  faults(): readonly string[];
  /** Called when the nodes have replaced blocks that were read before: a local network was rolled back. */
  onReplaced(listener: () => void): void;
  /** Notifications of new blocks, until they are closed. */
  notifications(): BlockNotifications;
  close(): Promise<void>;
}

export interface BlockNotifications {
  /** Resolves at the next block (at once if there was one since the last call), or after `timeoutMs`. */
  waitForBlock(timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Nodes answered, and none with what was asked for: they cannot find or run it. */
export class ReadRefused extends Error {
  override readonly name = 'ReadRefused';
}

/** Nodes answered, and none took the message. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}
