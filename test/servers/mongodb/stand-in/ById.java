import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;

/**
 * Finds documents by their id also where more is asked of them, as MongoDB does; by itself the stand-in would look at
 * every document. What else is asked is checked on what was found.
 */
final class ById extends Index<Object> {
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
