import de.bwaldvogel.mongo.bson.Document;
import java.util.List;

/** Replies as MongoDB words them. */
final class Errors {
  private Errors() {}

  static Document ok() {
    return new Document("ok", 1.0);
  }

  static Document of(int code, String codeName, String message, List<String> labels) {
    Document error = new Document("ok", 0.0).append("errmsg", message);
    error.append("code", code).append("codeName", codeName);
    return labels.isEmpty() ? error : error.append("errorLabels", labels);
  }

  static Document noSuchTransaction(long number) {
    String message = "Given transaction number " + number + " does not match any in-progress transactions.";
    return of(251, "NoSuchTransaction", message, List.of("TransientTransactionError"));
  }

  static Document noSuchCollection() {
    return of(26, "NamespaceNotFound", "ns not found", List.of());
  }

  static Document notAMember() {
    String message = "Transaction numbers are only allowed on a replica set member or mongos";
    return of(20, "IllegalOperation", message, List.of());
  }

  static boolean isFailure(Document reply) {
    return ((Number) reply.get("ok")).intValue() != 1 || reply.containsKey("writeErrors");
  }

  /** In a transaction nothing goes on after the first error. */
  static Document firstOf(Document reply) {
    Object errors = reply.get("writeErrors");
    if (!(errors instanceof List)) return reply;
    Document first = new Document();
    first.putAll(reply);
    return first.append("writeErrors", ((List<?>) errors).subList(0, 1));
  }
}
