import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import java.util.function.Supplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** A write that is sent again is answered as the first time. */
final class RetryableWrites {
  private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findAndModify");

  /** By session, its last write. */
  private final MVMap<String, Document> last;

  RetryableWrites(MVStore data) {
    last = data.openMap("retryableWrites");
  }

  static boolean isRetryable(Document command) {
    return command.containsKey("txnNumber") && WRITES.contains(command.keySet().iterator().next());
  }

  Document execute(Document command, Supplier<Document> run) {
    String session = Transactions.sessionOf(command);
    long number = Transactions.numberOf(command);
    Document before = last.get(session);
    if (before != null && (Long) before.get("number") == number) return (Document) before.get("reply");
    Document reply = run.get();
    if (!Errors.isFailure(reply)) last.put(session, new Document("number", number).append("reply", reply));
    return reply;
  }
}
