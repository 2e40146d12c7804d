import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.wire.MongoDatabaseHandler;
import de.bwaldvogel.mongo.wire.message.ClientRequest;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.group.ChannelGroup;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One request at a time. While a transaction is open the requests of others wait, so that none sees a part of it; MongoDB would
 * let them read what was there before.
 */
final class RequestQueue {
  /** MongoDB ends a transaction after 60 s, but lets others go on meanwhile. */
  private static final long MAX_IDLE_MS = 10_000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "requests");
            created.setDaemon(true);
            return created;
          });
  private final Deque<Request> waiting = new ArrayDeque<>();
  /** What begins a transaction, and so lets all others wait, comes last. */
  private final Deque<Request> beginning = new ArrayDeque<>();
  private final Transactions transactions;

  RequestQueue(Transactions transactions) {
    this.transactions = transactions;
  }

  private static final class Request {
    final ClientRequest message;
    final Runnable run;

    Request(ClientRequest message, Runnable run) {
      this.message = message;
      this.run = run;
    }
  }

  ChannelHandler handler(MongoBackend backend, ChannelGroup channels) {
    return new MongoDatabaseHandler(backend, channels) {
      @Override
      protected void channelRead0(ChannelHandlerContext context, ClientRequest message) {
        thread.execute(() -> add(new Request(message, () -> super.channelRead0(context, message))));
      }

      @Override
      public void channelInactive(ChannelHandlerContext context) throws Exception {
        thread.execute(() -> endIf(transactions.isOf(context.channel())));
        super.channelInactive(context);
      }
    };
  }

  /** Runs the task after the last request, and no further one. */
  void close(Runnable task) {
    thread.shutdownNow();
    try {
      thread.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    task.run();
  }

  private void add(Request request) {
    if (transactions.mayRun(request.message)) run(request);
    else if (Transactions.isBeginning(request.message)) beginning.add(request);
    else waiting.add(request);
    runWaiting();
  }

  private void runWaiting() {
    while (!transactions.isOpen()) {
      Request next = waiting.isEmpty() ? beginning.poll() : waiting.poll();
      if (next == null) return;
      // Nobody would end a transaction whose client has gone meanwhile.
      if (next.message.getChannel().isActive()) run(next);
    }
  }

  private void run(Request request) {
    try {
      request.run.run();
    } catch (RuntimeException error) {
      error.printStackTrace();
      Channel channel = request.message.getChannel();
      channel.close();
    }
    if (!transactions.isOpen()) return;
    long statement = transactions.statements();
    thread.schedule(
        () -> endIf(transactions.statements() == statement), MAX_IDLE_MS, TimeUnit.MILLISECONDS);
  }

  private void endIf(boolean lost) {
    if (lost) transactions.abort();
    runWaiting();
  }
}
