import { RpcError } from '../../json-rpc-error';
import { describeError } from '../svm/transaction-error';
import type { Refused } from '../chain/transaction-processor';
import { innerInstructions, returnData } from '../svm/transaction-meta';

// Solana's codes: https://solana.com/docs/rpc#rpc-error-codes

export function parseError() {
  return new RpcError(-32700, 'Parse error');
}
export function invalidRequest(reason: string) {
  return new RpcError(-32600, `Invalid request: ${reason}`);
}
export function methodNotFound() {
  return new RpcError(-32601, 'Method not found');
}
export function invalidParams(reason: string) {
  return new RpcError(-32602, `Invalid params: ${reason}`);
}
export function internalError() {
  return new RpcError(-32603, 'Internal error');
}

export function blockCleanedUp(slot: number, first: number) {
  return new RpcError(
    -32001,
    `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
  );
}
const signatureFailure = () => new RpcError(-32003, 'Transaction signature verification failure');
export function blockNotAvailable(slot: number) {
  return new RpcError(-32004, `Block not available for slot ${slot}`);
}
export function slotSkipped(slot: number) {
  return new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
}
export function longTermSlotSkipped(slot: number) {
  return new RpcError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`);
}
export function unsupportedVersion(version: number) {
  return new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again ` +
      `with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}
export function minContextSlotNotReached(contextSlot: number) {
  return new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot });
}

export function refusedTransaction({ error, simulation }: Refused): RpcError {
  return error === 'SignatureFailure'
    ? signatureFailure()
    : new RpcError(-32002, `Transaction simulation failed: ${describeError(error)}`, {
        accounts: null,
        err: error,
        innerInstructions: simulation && innerInstructions(simulation),
        logs: simulation?.logs ?? [],
        returnData: simulation && returnData(simulation),
        unitsConsumed: simulation?.unitsConsumed ?? 0,
      });
}
