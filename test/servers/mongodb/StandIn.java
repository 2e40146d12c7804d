import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;
import org.h2.mvstore.MVStore;

/** mongo-java-server on a port (first argument), with its data in a file (second argument). */
public class StandIn {
  public static void main(String[] arguments) throws Exception {
    MVStore store = new MVStore.Builder().fileName(arguments[1]).autoCommitDisabled().open();
    H2Backend backend = new H2Backend(store) {
      /**
       * One message at a time, and replies hold copies: by itself the server replies with the stored documents, which the next
       * message may change before they are sent, so that two increments return one value. As with write concern majority,
       * what was acknowledged outlives the process.
       */
      @Override
      public synchronized Document handleMessage(MongoMessage message) {
        try {
          return super.handleMessage(message).cloneDeeply();
        } finally {
          commit();
        }
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
        };
      }
    };
    // The highest version it knows of itself is older than what current drivers talk to.
    backend.version(new MongoVersion() {
      @Override
      public List<Integer> getVersionArray() {
        return List.of(6, 0, 0);
      }

      @Override
      public int getWireVersion() {
        return 17;
      }
    });
    MongoServer server = new MongoServer(backend);
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    Thread.currentThread().join();
  }

  /**
   * Finds documents by their id also where more is asked of them, as MongoDB does; by itself the stand-in would look at
   * every document. What else is asked is checked on what was found.
   */
  private static class ById extends Index<Object> {
    private final Index<Object> index;

    ById(Index<Object> index, String name, List<IndexKey> keys, boolean sparse) {
      super(name, keys, sparse);
      this.index = index;
    }

    private static Document idOf(Document query) {
      return new Document("_id", query.get("_id"));
    }

    @Override
    public boolean canHandle(Document query) {
      return query.containsKey("_id") && index.canHandle(idOf(query));
    }

    @Override
    public Iterable<Object> getPositions(Document query) {
      return index.getPositions(idOf(query));
    }

    @Override
    public Object getPosition(Document document) {
      return index.getPosition(document);
    }

    @Override
    public void checkAdd(Document document, MongoCollection<Object> collection) {
      index.checkAdd(document, collection);
    }

    @Override
    public void add(Document document, Object position, MongoCollection<Object> collection) {
      index.add(document, position, collection);
    }

    @Override
    public Object remove(Document document) {
      return index.remove(document);
    }

    @Override
    public long getCount() {
      return index.getCount();
    }

    @Override
    public long getDataSize() {
      return index.getDataSize();
    }

    @Override
    public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {
      index.checkUpdate(before, after, collection);
    }

    @Override
    public void updateInPlace(
        Document before, Document after, Object position, MongoCollection<Object> collection) {
      index.updateInPlace(before, after, position, collection);
    }

    @Override
    public boolean isUnique() {
      return true;
    }

    @Override
    public void drop() {
      index.drop();
    }
  }
}
