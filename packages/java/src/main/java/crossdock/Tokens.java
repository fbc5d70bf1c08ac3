package crossdock;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** One token for all threads; replaced a minute before it expires, or after nine tenths of a short life. */
final class Tokens {
  private static final long EARLY_NANOS_MAX = 60_000_000_000L;
  private final ClientOptions options;
  private final Transport transport;
  private String token;
  private long until;

  Tokens(ClientOptions options, Transport transport) {
    this.options = options;
    this.transport = transport;
  }

  synchronized String current() {
    if (token != null && System.nanoTime() - until < 0) {
      return token;
    }
    long started = System.nanoTime();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("grant_type", "client_credentials");
    body.put("client_id", options.clientId);
    body.put("client_secret", options.clientSecret);
    byte[] content = Json.write(body).getBytes(StandardCharsets.UTF_8);
    Map<String, String> headers = Map.of("Content-Type", "application/json", "Accept", "application/json");
    String url = CrossdockClient.withoutSlash(options.authUrl) + "/v1/oauth/token";
    Answer answer = transport.sendPatiently(true, "POST", url, () -> headers, content);
    Map<String, Object> members = Json.object(answer.text());
    Object seconds = members.get("expires_in");
    if (answer.status != 200 || !(members.get("access_token") instanceof String) || !(seconds instanceof BigDecimal)) {
      String error = String.valueOf(members.getOrDefault("error", ""));
      throw new TokenException(answer.status, error, String.valueOf(members.getOrDefault("error_description", "")));
    }
    long life = (long) (((BigDecimal) seconds).doubleValue() * 1e9);
    until = started + life - Math.min(EARLY_NANOS_MAX, life / 10);
    token = (String) members.get("access_token");
    return token;
  }

  synchronized void forget(String refused) {
    if (refused.equals(token)) {
      token = null;
    }
  }
}
