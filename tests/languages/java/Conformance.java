import crossdock.Acknowledgement;
import crossdock.ClientOptions;
import crossdock.CrossdockClient;
import crossdock.EventOptions;
import crossdock.FeedClient;
import crossdock.FeedException;
import crossdock.Json;
import crossdock.ProblemException;
import crossdock.Request;
import crossdock.Retry;
import crossdock.SignatureException;
import crossdock.TokenException;
import crossdock.Webhooks;
import crossdock.events.OrderData;
import crossdock.feeds.NODocument;
import crossdock.order.Order;
import crossdock.order.OrderCreate;
import crossdock.order.OrdersService;
import crossdock.webhook.Event;
import crossdock.webhook.EventPush;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the cases of tests/languages/cases.json with the Java client: a line of steps in, a line for each report out. */
public final class Conformance {
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private static final Duration BACKOFF = Duration.ofMillis(10);

  private static Map<String, Object> values(Object... pairs) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      values.put((String) pairs[i], pairs[i + 1]);
    }
    return values;
  }

  private static void report(Map<String, Object> values) {
    OUT.println(Json.write(values));
  }

  private static Map<String, Object> failureOf(RuntimeException error) {
    if (error instanceof ProblemException) {
      ProblemException problem = (ProblemException) error;
      List<Object> faults = new ArrayList<>();
      problem.getErrors().forEach(faults::add);
      return values("error", "problem", "status", problem.getStatus(), "code", problem.getCode(), "errors", faults);
    }
    if (error instanceof TokenException) {
      TokenException token = (TokenException) error;
      return values("error", "token", "status", token.getStatus(), "code", token.getError());
    }
    if (error instanceof FeedException) {
      return values("error", "feed", "status", ((FeedException) error).getStatus());
    }
    if (error instanceof SignatureException) {
      return values("error", "signature");
    }
    if (error instanceof UncheckedIOException) {
      return values("error", "lost");
    }
    throw error;
  }

  private static void run(Map<?, ?> step, CrossdockClient client, String url, Path cursorFile) throws IOException {
    switch ((String) step.get("do")) {
      case "getOrder": {
        Order order = client.orders().getOrder((String) step.get("orderId"));
        report(values("orderId", order.getOrderId(), "status", order.getStatus(), "qty", order.getLines().get(0).getQty(),
            "receivedAt", order.getReceivedAt()));
        break;
      }
      case "listOrders": {
        List<String> seen = new ArrayList<>();
        Map<String, Object> failure = values();
        OrdersService.ListOrdersParams params = new OrdersService.ListOrdersParams()
            .status((String) step.get("status")).limit(((BigDecimal) step.get("limit")).longValue());
        try {
          for (Order order : client.orders().listOrders(params)) {
            seen.add(order.getOrderId());
          }
        } catch (ProblemException error) {
          failure = failureOf(error);
        }
        failure.put("items", seen);
        report(failure);
        break;
      }
      case "createOrder": {
        OrderCreate body = Json.read(OrderCreate.class, step.get("body"));
        report(values("orderId", client.orders().createOrder(body).getOrderId()));
        break;
      }
      case "post":
        report(values("body", client.send(new Request("POST", (String) step.get("path")).body(step.get("body")))));
        break;
      case "feed": {
        Retry retry = new Retry(5, Duration.ofSeconds(10), BACKOFF);
        FeedClient feeds = new FeedClient(url, "DEMO", "cd_key", Duration.ofSeconds(35), retry);
        NODocument document = Json.read(NODocument.class, step.get("document"));
        Acknowledgement ack = feeds.send(document, (String) step.get("key"));
        List<Object> faults = new ArrayList<>();
        for (Acknowledgement.Fault fault : ack.getErrors()) {
          Map<String, Object> parts = values("code", fault.getCode(), "message", fault.getMessage());
          if (fault.getLine() != null) {
            parts.put("line", fault.getLine());
          }
          faults.add(parts);
        }
        report(values("token", ack.getToken(), "success", ack.isSuccess(), "feedType", ack.getFeedType(),
            "errors", faults, "missingSkus", ack.getMissingSkus(), "objectId", ack.getObjectId()));
        break;
      }
      case "verify": {
        Map<?, ?> headers = (Map<?, ?>) step.get("headers");
        byte[] body = ((String) step.get("body")).getBytes(StandardCharsets.UTF_8);
        Instant now = Instant.ofEpochSecond(((BigDecimal) step.get("now")).longValue());
        EventPush event = Webhooks.verify((String) step.get("secret"), name -> (String) headers.get(name), body, now,
            Duration.ofSeconds(300));
        OrderData data = Json.read(OrderData.class, event.getData());
        report(values("type", event.getType(), "objectId", event.getObjectId(), "status", data.getStatus()));
        break;
      }
      case "events": {
        EventOptions options = new EventOptions().topicName((String) step.get("topicName")).save(cursor -> {
          try {
            Files.writeString(cursorFile, cursor);
          } catch (IOException error) {
            throw new UncheckedIOException(error);
          }
          report(values("saved", cursor));
        });
        if (Files.exists(cursorFile)) {
          options.cursor(Files.readString(cursorFile));
        }
        BigDecimal killedAfter = (BigDecimal) step.get("killedAfter");
        int handled = 0;
        for (Event event : client.events(options)) {
          report(values("id", event.getId()));
          handled++;
          if (killedAfter != null && killedAfter.intValue() == handled) {
            // Without any handler, as a kill.
            Runtime.getRuntime().halt(137);
          }
        }
        report(values("end", true));
        break;
      }
      default:
        throw new IllegalArgumentException("unknown step " + step);
    }
  }

  public static void main(String[] args) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Map<?, ?> work = (Map<?, ?>) Json.parse(line);
      String url = (String) work.get("url");
      CrossdockClient client = new CrossdockClient(new ClientOptions(url, "id", "secret").authUrl(url + "/auth")
          .retry(new Retry(3, Duration.ofSeconds(10), BACKOFF)));
      for (Object step : (List<?>) work.get("steps")) {
        try {
          run((Map<?, ?>) step, client, url, Path.of((String) work.get("cursorFile")));
        } catch (RuntimeException error) {
          report(failureOf(error));
        }
      }
      report(values("done", true));
    }
  }
}
