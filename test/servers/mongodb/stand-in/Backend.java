import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.exception.MongoSilentServerException;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.util.List;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** mongo-java-server with sessions, transactions, retryable writes and the fail point `failCommand`. */
final class Backend extends H2Backend {
  private static final int SESSION_TIMEOUT_MINUTES = 30;

  final Transactions transactions;
  private final RetryableWrites retryableWrites;
  private final FailCommand failCommand = new FailCommand();
  private final String address;

  /** @param address null for a server without a replica set */
  Backend(MVStore store, String address) {
    super(store);
    this.address = address;
    transactions = new Transactions(store, this::commit);
    retryableWrites = new RetryableWrites(store);
    // The highest version it knows of itself is older than what current drivers talk to.
    version(
        new MongoVersion() {
          @Override
          public List<Integer> getVersionArray() {
            return List.of(6, 0, 0);
          }

          @Override
          public int getWireVersion() {
            return 17;
          }
        });
  }

  /**
   * Replies hold copies: by itself the server replies with the stored documents, which the next message may change before they
   * are sent, so that two increments return one value. As with write concern majority, what was acknowledged outlives the
   * process.
   */
  @Override
  public Document handleMessage(MongoMessage message) {
    Document command = message.getDocument();
    Channel channel = message.getChannel();
    if (command.containsKey("configureFailPoint")) return failCommand.configure(command);
    return failCommand.execute(command, channel, () -> executeInSession(message, command, channel));
  }

  private Document executeInSession(MongoMessage message, Document command, Channel channel) {
    if (Transactions.isStatement(command)) {
      if (address == null) return Errors.notAMember();
      return transactions.execute(command, channel, () -> execute(message));
    }
    try {
      if (!RetryableWrites.isRetryable(command)) return execute(message);
      if (address == null) return Errors.notAMember();
      return retryableWrites.execute(command, () -> execute(message));
    } finally {
      if (!transactions.isOpen()) commit();
    }
  }

  private Document execute(MongoMessage message) {
    try {
      return super.handleMessage(message).cloneDeeply();
    } catch (MongoSilentServerException error) {
      // Of `drop`; by itself the server replies without the code.
      return Errors.noSuchCollection();
    } catch (MongoServerError error) {
      return Errors.of(error.getCode(), error.getCodeName(), error.getMessageWithoutErrorCode(), List.of());
    }
  }

  @Override
  public Document handleCommand(Channel channel, String database, String command, Document query) {
    switch (command) {
      case "hello":
      case "ismaster":
      case "isMaster":
        return hello(super.handleCommand(channel, database, "ismaster", query));
      case "endSessions":
        transactions.endSessions(query);
        return Errors.ok();
      default:
        return super.handleCommand(channel, database, command, query);
    }
  }

  private Document hello(Document greeting) {
    greeting.append("isWritablePrimary", true).append("helloOk", true);
    if (address == null) return greeting;
    greeting.append("setName", "rs0").append("setVersion", 1).append("secondary", false);
    greeting.append("hosts", List.of(address)).append("me", address).append("primary", address);
    return greeting.append("logicalSessionTimeoutMinutes", SESSION_TIMEOUT_MINUTES);
  }

  @Override
  protected MongoDatabase openOrCreateDatabase(String name) {
    return new H2Database(name, getMvStore(), getCursorRegistry()) {
      @Override
      protected Index<Object> openOrCreateUniqueIndex(
          String collection, String index, List<IndexKey> keys, boolean sparse) {
        Index<Object> unique = super.openOrCreateUniqueIndex(collection, index, keys, sparse);
        boolean isOfId = keys.size() == 1 && keys.get(0).getKey().equals("_id");
        return isOfId ? new ById(unique, index, keys, sparse) : unique;
      }

      @Override
      protected MongoCollection<Object> openOrCreateCollection(String collection, CollectionOptions options) {
        String full = getFullCollectionNamespace(collection);
        MVMap<Object, Document> data = getMvStore().openMap("databases." + full);
        MVMap<String, Object> meta = getMvStore().openMap("meta." + full);
        return new H2Collection(this, collection, options, data, meta, cursorRegistry) {
          @Override
          protected Object addDocumentInternal(Document document) {
            Object position = super.addDocumentInternal(document);
            record(() -> removeDocument(getDocument(position)));
            return position;
          }

          @Override
          protected void removeDocument(Object position) {
            Document removed = getDocument(position);
            super.removeDocument(position);
            record(() -> addDocument(removed));
          }

          @Override
          protected void handleUpdate(Object position, Document before, Document after) {
            super.handleUpdate(position, before, after);
            record(
                () -> {
                  removeDocument(getDocument(position));
                  addDocument(before);
                });
          }
        };
      }
    };
  }

  /** Nothing is recorded while the databases are opened. */
  private void record(Runnable undo) {
    if (transactions != null) transactions.record(undo);
  }
}
