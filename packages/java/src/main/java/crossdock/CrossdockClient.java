package crossdock;

import crossdock.webhook.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A client of the REST services: {@code client.orders()} and so on share one token. Methods throw {@link ProblemException} when
 * the service refuses the request, {@link TokenException} when there is no token, and {@link java.io.UncheckedIOException} when no
 * answer arrives.
 */
public final class CrossdockClient extends Services {
  private static final Pattern LOOK_UP = Pattern.compile("/find[A-Z][A-Za-z]*$");
  private static final Pattern EMPTY_QUOTA = Pattern.compile(";r=0;t=[1-9]");
  private final String baseUrl;
  private final Transport transport;
  private final Tokens tokens;
  private volatile long fullUntil = System.nanoTime();

  /** Sends nothing yet. */
  public CrossdockClient(ClientOptions options) {
    baseUrl = withoutSlash(options.baseUrl);
    transport = new Transport(options.timeout, options.retry);
    tokens = new Tokens(options, transport);
  }

  @Override
  CrossdockClient client() {
    return this;
  }

  /** The bytes of an answer, such as a label. */
  public byte[] fetch(Request request) {
    boolean isRead = request.method.equals("GET") || request.method.equals("POST") && LOOK_UP.matcher(request.path).find();
    boolean isRepeatable = isRead || request.headers.containsKey("Idempotency-Key");
    // The last answer left no request of the quota: it fills steadily.
    Transport.sleep(Duration.ofNanos(fullUntil - System.nanoTime()));
    String[] token = {""};
    Supplier<Map<String, String>> withToken = () -> {
      // Fetched for each attempt, because it may expire during a wait.
      token[0] = tokens.current();
      Map<String, String> headers = new HashMap<>(request.headers);
      headers.put("Authorization", "Bearer " + token[0]);
      return headers;
    };
    String url = baseUrl + request.target();
    Answer answer = transport.sendPatiently(isRepeatable, request.method, url, withToken, request.body);
    if (answer.status == 401 && answer.header("WWW-Authenticate").contains("error=\"invalid_token\"")) {
      tokens.forget(token[0]);
      answer = transport.sendPatiently(isRepeatable, request.method, url, withToken, request.body);
    }
    if (EMPTY_QUOTA.matcher(answer.header("RateLimit")).find()) {
      fullUntil = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    }
    if (answer.status < 200 || answer.status > 299) {
      throw ProblemException.of(answer);
    }
    return answer.body;
  }

  /** The JSON of any answer: a map; null where it has no body. */
  public Object send(Request request) {
    byte[] body = fetch(request);
    return body.length == 0 ? null : Json.parse(new String(body, StandardCharsets.UTF_8));
  }

  /** The record of an answer. */
  public <T> T call(Class<T> type, Request request) {
    return Json.read(type, send(request));
  }

  /** The records of a list over all its pages, which are requested on demand. */
  public <T> Iterable<T> list(Class<T> type, Request request) {
    return () -> new Pages<>(type, request, null, null);
  }

  /** The events of the client in the order of the log, a page at a time. */
  public Iterable<Event> events(EventOptions options) {
    return () -> new Pages<>(Event.class, options.request(), options, options.cursor);
  }

  static String withoutSlash(String url) {
    return url.replaceAll("/+$", "");
  }

  private final class Pages<T> implements Iterator<T> {
    private final Class<T> type;
    private final Request request;
    private final EventOptions options;
    private String cursor;
    private String next;
    private Iterator<?> items = List.of().iterator();
    private boolean isEnd;

    Pages(Class<T> type, Request request, EventOptions options, String cursor) {
      this.type = type;
      this.request = request;
      this.options = options;
      this.cursor = cursor;
    }

    /** The record before counts as handled. */
    @Override
    public boolean hasNext() {
      while (!items.hasNext()) {
        if (isEnd) {
          return false;
        }
        if (next != null) {
          if (options != null && options.save != null) {
            options.save.accept(next);
          }
          cursor = next;
          next = null;
        }
        Map<?, ?> page = (Map<?, ?>) send(request.query("cursor", cursor));
        items = ((List<?>) page.get("items")).iterator();
        String following = (String) page.get("nextCursor");
        if (following != null && !following.equals(cursor)) {
          next = following;
        } else if (options == null || options.follow == null) {
          isEnd = true;
        } else if (!items.hasNext()) {
          Transport.sleep(options.follow);
        }
      }
      return true;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return Json.read(type, items.next());
    }
  }
}
