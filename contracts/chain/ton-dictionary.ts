/**
 * Text like that of the messages of TON on the log, the most frequent at its end: the dictionary with which they are
 * deflated. It is part of the format: a change needs a new version of the messages.
 */
const internal = (meaning: string): string =>
  `{"hash":"","info":{"type":"internal","src":"0:","dest":"0:","value":"1000000000","bounce":true,"bounced":false,` +
  `"ihrDisabled":true,"ihrFee":"0","extraFlags":0,"fwdFee":"400004","createdLt":"7","createdAt":17},"init":null,` +
  `"body":"te6cckEBAQEA",${meaning}"staking":null,"card":null,"bounce":null}`;

const JETTON_TRANSFER =
  `"op":395134233,"comment":null,"jetton":{"type":"internal_transfer","queryId":"0","amount":"1000000000","from":"0:",` +
  `"responseDestination":"0:","customPayload":null,"forwardAmount":"1","forwardPayload":null,"comment":null},"nft":null,`;
const EXCESSES = `"op":3576854235,"comment":null,"jetton":{"type":"excesses","queryId":"0"},"nft":null,`;
const NOTHING = `"op":null,"comment":null,"jetton":null,"nft":null,`;

export const TON_DICTIONARY = [
  `{"type":"dead","version":1,"reason":"{"type":"backfilled","downTo":"0"`,
  `"init":{"splitDepth":null,"code":"te6cckECFAEAAtQAART/APSkE/S88sgL","data":"te6cckEBAQEA","special":null},`,
  `"libraries":[{"public":true,"root":"`,
  `"jetton":{"type":"transfer_notification","queryId":"0","amount":"1000000000","sender":"0:","forwardPayload":"te6cckEBAQEA",`,
  `"jetton":{"type":"transfer","queryId":"0","amount":"1","destination":"0:","responseDestination":"0:","customPayload":null,`,
  `"jetton":{"type":"burn_notification","of":"burn","bounced"`,
  `"nft":{"type":"ownership_assigned","newOwner":"0:","staking":{"type":"deposit_response","stake":"`,
  `"bounce":{"phase":"compute","exitCode":0,"value":"","createdLt":"","createdAt":`,
  `"statusBefore":"uninitialized","statusAfter":"non-existing","statusBefore":"frozen","origin":"backfill","seqno":null,`,
  `"success":false,"exitCode":null,"actionCode":null,"skippedActions":1,"unsent":[{"mode":3,`,
  `"walletOperations":[{"type":"deploy_plugin","plugin":"0:"`,
  `"walletSeqno":1,"external":{"hash":"","normalized":""}},"jettonWallets":{"0:":{"master":"0:","owner":"0:"},"0:":null},"raw":"`,
  `"inMessage":{"hash":"","info":{"type":"external-in","dest":"0:","src":null,"importFee":"0"},"init":null,"body":"te6cckEBBAEA",`,
  `"op":1936287598,"comment":null,"jetton":null,"nft":null,"staking":null,"card":null,"bounce":null},"outMessages":[`,
  `{"info":{"type":"external-out","src":"0:","dest":null`,
  `"inMessage":${internal(JETTON_TRANSFER)},"outMessages":[${internal(EXCESSES)},${internal(NOTHING)}],"direction":"out",`,
  `{"type":"trace","version":1,"network":"mainnet","account":"0:","lt":"7","hash":"","decoder":1,"state":"complete","messages":[`,
  `{"hash":"","src":"0:","dest":"0:","createdLt":"7","value":"1","fwdFee":"400004","bounced":false,"op":null,"jetton":null,`,
  `"transaction":{"lt":"7","hash":"","time":17,"success":true,"exitCode":0,"fees":"2834","deployed":false},"parent":null},`,
  `{"type":"transaction","version":1,"network":"testnet","account":"-1:`,
  `{"type":"transaction","version":1,"network":"mainnet","account":"0:","lt":"7","hash":"","seqno":7,"prev":{"lt":"7","hash":""},`,
  `"time":17,"origin":"tail","decoder":1,"transaction":{"account":"0:","lt":"7","hash":"","prev":{"lt":"7","hash":""},"time":17,`,
  `"statusBefore":"active","statusAfter":"active","stateBefore":"","stateAfter":"","fees":"2834",`,
  `"inMessage":${internal(`"op":0,"comment":"","jetton":null,"nft":null,`)},"outMessages":[],"direction":"in","success":true,`,
  `"exitCode":0,"actionCode":0,"skippedActions":0,"unsent":[],"walletOperations":[],"walletSeqno":null,"external":null},`,
  `"jettonWallets":{},"raw":"te6cckECBgEAA7V`,
].join('');
