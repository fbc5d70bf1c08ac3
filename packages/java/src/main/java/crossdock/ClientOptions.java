package crossdock;

import java.time.Duration;

/** Options of {@link CrossdockClient}. */
public final class ClientOptions {
  final String baseUrl;
  final String clientId;
  final String clientSecret;
  String authUrl;
  Duration timeout = Duration.ofSeconds(30);
  Retry retry = Retry.withAttempts(3);

  /** @param baseUrl of the services, such as {@code https://api.example.com} */
  public ClientOptions(String baseUrl, String clientId, String clientSecret) {
    this.baseUrl = baseUrl;
    this.authUrl = baseUrl;
    this.clientId = clientId;
    this.clientSecret = clientSecret;
  }

  /** The base address of the token endpoint, if different. */
  public ClientOptions authUrl(String value) {
    authUrl = value;
    return this;
  }

  /** Of each attempt; 30 s by default. */
  public ClientOptions timeout(Duration value) {
    timeout = value;
    return this;
  }

  /** Three attempts by default. */
  public ClientOptions retry(Retry value) {
    retry = value;
    return this;
  }
}
