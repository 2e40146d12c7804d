import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The fail point `failCommand` of MongoDB's own tests: commands fail before they run or, with `writeConcernError`, after. Modes
 * are `off`, `{ times }` and `{ activationProbability }`.
 */
final class FailCommand {
  private final Random random = new Random();
  private Document data;
  private double probability;
  private long times;

  Document configure(Document command) {
    Object mode = command.get("mode");
    data = "off".equals(mode) ? null : (Document) command.get("data");
    Document wanted = mode instanceof Document ? (Document) mode : new Document();
    probability = ((Number) wanted.getOrDefault("activationProbability", 1)).doubleValue();
    times = ((Number) wanted.getOrDefault("times", Long.MAX_VALUE)).longValue();
    return Errors.ok();
  }

  @SuppressWarnings("unchecked")
  Document execute(Document command, Channel channel, Supplier<Document> run) {
    if (!isActive(command.keySet().iterator().next())) return run.get();
    List<String> labels = (List<String>) data.getOrDefault("errorLabels", List.of());
    if (data.containsKey("errorCode")) {
      int code = ((Number) data.get("errorCode")).intValue();
      return Errors.of(code, "FailCommand", "failing command via 'failCommand' failpoint", labels);
    }
    Document reply = run.get();
    if (Boolean.TRUE.equals(data.get("closeConnection"))) channel.close();
    if (!data.containsKey("writeConcernError")) return reply;
    Document failed = new Document();
    failed.putAll(reply);
    return failed.append("writeConcernError", data.get("writeConcernError")).append("errorLabels", labels);
  }

  private boolean isActive(String name) {
    if (data == null || times <= 0 || !((Collection<?>) data.get("failCommands")).contains(name)) return false;
    if (random.nextDouble() >= probability) return false;
    times--;
    return true;
  }
}
