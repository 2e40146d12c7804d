import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.ClientRequest;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * Transactions, one at a time. Each write records how to undo it; what the transaction wrote is stored together when it is
 * committed, so that a crash leaves nothing of one that was not.
 */
final class Transactions {
  private static final Set<String> FREE = Set.of("hello", "ismaster", "isMaster", "ping", "endSessions");

  /** By session, the number of its last committed transaction. */
  private final MVMap<String, Long> committed;

  private final Runnable store;
  private final Deque<Runnable> undo = new ArrayDeque<>();
  private String session;
  private long number;
  private Channel channel;
  private boolean undoing;
  private long statements;

  /** @param store makes durable what was written */
  Transactions(MVStore data, Runnable store) {
    this.committed = data.openMap("committedTransactions");
    this.store = store;
  }

  static String sessionOf(Document command) {
    Object lsid = command.get("lsid");
    return lsid instanceof Document ? String.valueOf(((Document) lsid).get("id")) : null;
  }

  static long numberOf(Document command) {
    return ((Number) command.get("txnNumber")).longValue();
  }

  static boolean isStatement(Document command) {
    return Boolean.FALSE.equals(command.get("autocommit"));
  }

  static boolean isBeginning(ClientRequest request) {
    return request instanceof MongoMessage
        && Boolean.TRUE.equals(((MongoMessage) request).getDocument().get("startTransaction"));
  }

  boolean isOpen() {
    return session != null;
  }

  boolean isOf(Channel other) {
    return isOpen() && channel == other;
  }

  /** Changes with every statement. */
  long statements() {
    return statements;
  }

  boolean mayRun(ClientRequest request) {
    if (!isOpen() || !(request instanceof MongoMessage)) return true;
    Document command = ((MongoMessage) request).getDocument();
    if (FREE.contains(command.keySet().iterator().next())) return true;
    return isStatement(command) && sessionOf(command).equals(session);
  }

  /** To be called by each write. */
  void record(Runnable undoWrite) {
    if (isOpen() && !undoing) undo.push(undoWrite);
  }

  void abort() {
    undoing = true;
    try {
      while (!undo.isEmpty()) undo.pop().run();
    } finally {
      undoing = false;
      session = null;
      store.run();
    }
  }

  @SuppressWarnings("unchecked")
  void endSessions(Document command) {
    for (Document ended : (List<Document>) command.get("endSessions"))
      if (String.valueOf(ended.get("id")).equals(session)) abort();
  }

  /** @param run the statement itself, which replies with its errors */
  Document execute(Document command, Channel from, Supplier<Document> run) {
    String name = command.keySet().iterator().next();
    String of = sessionOf(command);
    long wanted = numberOf(command);
    statements++;
    boolean isThis = isOpen() && of.equals(session) && wanted == number;
    if (name.equals("commitTransaction")) return isThis ? commit() : committedBefore(of, wanted);
    if (name.equals("abortTransaction")) {
      if (!isThis) return Errors.noSuchTransaction(wanted);
      abort();
      return Errors.ok();
    }
    if (Boolean.TRUE.equals(command.get("startTransaction"))) begin(of, wanted);
    else if (!isThis) return Errors.noSuchTransaction(wanted);
    channel = from;
    Document reply = run.get();
    if (!Errors.isFailure(reply)) return reply;
    abort();
    return Errors.firstOf(reply);
  }

  private void begin(String of, long wanted) {
    if (isOpen()) abort();
    session = of;
    number = wanted;
  }

  private Document commit() {
    committed.put(session, number);
    undo.clear();
    session = null;
    store.run();
    return Errors.ok();
  }

  private Document committedBefore(String of, long wanted) {
    Long last = committed.get(of);
    return last != null && last == wanted ? Errors.ok() : Errors.noSuchTransaction(wanted);
  }
}
