import de.bwaldvogel.mongo.wire.MongoWireProtocolHandler;
import de.bwaldvogel.mongo.wire.message.ClientRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/** Accepts messages to which no reply is wanted, as drivers send when they close: the reply is sent and nobody reads it. */
final class Decoder extends MongoWireProtocolHandler {
  private static final int OP_MSG = 2013;
  private static final int CODE_AT = 12;
  private static final int FLAGS_AT = 16;
  private static final int MORE_TO_COME = 2;

  @Override
  protected ClientRequest decode(ChannelHandlerContext context, ByteBuf buffer) throws Exception {
    int at = buffer.readerIndex();
    boolean isMessage = buffer.readableBytes() >= FLAGS_AT + 4 && buffer.getIntLE(at + CODE_AT) == OP_MSG;
    if (isMessage) buffer.setIntLE(at + FLAGS_AT, buffer.getIntLE(at + FLAGS_AT) & ~MORE_TO_COME);
    return super.decode(context, buffer);
  }
}
