import RequestQueue from 'kafkajs/src/network/requestQueue';

/*
 * kafkajs 2.2.4 plans its look at the requests that wait for the end of a throttling also when none waits: at a moment of
 * 1970, which is in a millisecond, after which it plans the next. Every connection, also one that has been closed, would wake
 * the process a thousand times a second. Who adds a request that has to wait plans the look again.
 */
const { scheduleCheckPendingRequests } = RequestQueue.prototype;
RequestQueue.prototype.scheduleCheckPendingRequests = function () {
  if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
};
