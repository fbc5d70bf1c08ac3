package crossdock;

import java.nio.charset.StandardCharsets;
import java.net.http.HttpHeaders;

final class Answer {
  final int status;
  final byte[] body;
  private final HttpHeaders headers;

  Answer(int status, HttpHeaders headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** Empty where there is none. */
  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
