package crossdock;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** A request of a service. */
public final class Request {
  final String method;
  final String path;
  final Map<String, String> query = new LinkedHashMap<>();
  final Map<String, String> headers = new LinkedHashMap<>();
  byte[] body;

  /** @param path begins with a slash; what it contains is escaped */
  public Request(String method, String path) {
    if (!path.startsWith("/")) {
      // Any other path could name another host, which would receive the token.
      throw new IllegalArgumentException("the path does not begin with a slash: " + path);
    }
    this.method = method;
    this.path = path;
    headers.put("Accept", "application/json, */*;q=0.5");
  }

  /** A parameter; null is left out. */
  public Request query(String name, Object value) {
    if (value == null) {
      query.remove(name);
    } else {
      query.put(name, String.valueOf(Json.tree(value)));
    }
    return this;
  }

  /** A record, or a map, as JSON. */
  public Request body(Object value) {
    headers.put("Content-Type", "application/json");
    body = Json.write(value).getBytes(StandardCharsets.UTF_8);
    return this;
  }

  /** A write with a key can be sent again; null is left out. */
  public Request idempotencyKey(String value) {
    return header("Idempotency-Key", value);
  }

  /** The key, or a new one. */
  public Request idempotencyKeyOrNew(String value) {
    return idempotencyKey(value == null ? UUID.randomUUID().toString() : value);
  }

  /** The ETag of the version to change; null is left out. */
  public Request ifMatch(String value) {
    return header("If-Match", value);
  }

  /** A segment of a path. */
  public static String escape(Object value) {
    return URLEncoder.encode(String.valueOf(value), StandardCharsets.UTF_8).replace("+", "%20");
  }

  String target() {
    StringBuilder target = new StringBuilder(path);
    char separator = '?';
    for (Map.Entry<String, String> parameter : query.entrySet()) {
      target.append(separator).append(escape(parameter.getKey())).append('=').append(escape(parameter.getValue()));
      separator = '&';
    }
    return target.toString();
  }

  private Request header(String name, String value) {
    if (value != null) {
      headers.put(name, value);
    }
    return this;
  }
}
