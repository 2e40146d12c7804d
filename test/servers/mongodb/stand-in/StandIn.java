import de.bwaldvogel.mongo.wire.MongoExceptionHandler;
import de.bwaldvogel.mongo.wire.MongoWireMessageEncoder;
import de.bwaldvogel.mongo.wire.MongoWireReplyEncoder;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.h2.mvstore.MVStore;

/**
 * mongo-java-server on a port (first argument), with its data in a file (second argument). It says that it is the primary of a
 * replica set of one, or with the third argument `standalone` a server without one.
 */
public class StandIn {
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    boolean standalone = arguments.length > 2 && arguments[2].equals("standalone");
    MVStore store = new MVStore.Builder().fileName(arguments[1]).autoCommitDisabled().open();
    Backend backend = new Backend(store, standalone ? null : "127.0.0.1:" + port);
    RequestQueue requests = new RequestQueue(backend.transactions);
    DefaultChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> requests.close(backend::close)));
    new ServerBootstrap()
        .group(new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory()))
        .channel(NioServerSocketChannel.class)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              public void initChannel(SocketChannel channel) {
                channel
                    .pipeline()
                    .addLast(new MongoWireReplyEncoder())
                    .addLast(new MongoWireMessageEncoder())
                    .addLast(new Decoder())
                    .addLast(requests.handler(backend, channels))
                    .addLast(new MongoExceptionHandler());
              }
            })
        .bind("127.0.0.1", port)
        .sync();
    Thread.currentThread().join();
  }
}
