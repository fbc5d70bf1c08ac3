package crossdock;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Sends requests, each attempt with a time-out. */
final class Transport {
  private static final Set<Integer> PASSING = Set.of(408, 500, 502, 503, 504);
  // A redirect is not followed: it could carry the token to another host.
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER).build();
  private final Duration timeout;
  private final Retry retry;

  Transport(Duration timeout, Retry retry) {
    this.timeout = timeout;
    this.retry = retry;
  }

  /** @throws UncheckedIOException when no answer arrives */
  private Answer sendOnce(String method, String url, Map<String, String> headers, byte[] body) {
    HttpRequest.BodyPublisher content =
        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(timeout).method(method, content);
    headers.forEach(request::header);
    try {
      HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.headers(), response.body());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      throw interrupted();
    }
  }

  /** @param headers makes those of each attempt; what it throws is no lost answer */
  Answer sendPatiently(
      boolean isRepeatable, String method, String url, Supplier<Map<String, String>> headers, byte[] body) {
    for (int number = 1; ; number++) {
      boolean isLast = number >= retry.attemptsMax;
      Duration wait = isRepeatable ? retry.backoff.multipliedBy(1L << (number - 1)) : null;
      Map<String, String> sent = headers.get();
      try {
        Answer answer = sendOnce(method, url, sent, body);
        Duration requested = waitOf(answer.header("Retry-After"));
        boolean inProgress = answer.status == 409 && requested != null;
        boolean isRetried =
            answer.status == 429 || isRepeatable && (PASSING.contains(answer.status) || inProgress);
        wait = requested == null ? wait : requested;
        if (isLast || !isRetried || wait == null || wait.compareTo(retry.waitMax) > 0) {
          return answer;
        }
      } catch (UncheckedIOException error) {
        // Whether the request arrived is unknown.
        if (isLast || wait == null || Thread.currentThread().isInterrupted()) {
          throw error;
        }
      }
      sleep(wait.compareTo(retry.waitMax) > 0 ? retry.waitMax : wait);
    }
  }

  static void sleep(Duration wait) {
    try {
      Thread.sleep(Math.max(0, wait.toMillis()));
    } catch (InterruptedException error) {
      throw interrupted();
    }
  }

  private static UncheckedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new UncheckedIOException(new InterruptedIOException("the thread was interrupted"));
  }

  /** Seconds, as the services say, or a date, as proxies may; null where there is neither. */
  private static Duration waitOf(String header) {
    if (header.matches("\\d{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(header));
    }
    try {
      Instant at = ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration wait = Duration.between(Instant.now(), at);
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeParseException error) {
      return null;
    }
  }
}
