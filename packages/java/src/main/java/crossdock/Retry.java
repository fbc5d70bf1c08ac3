package crossdock;

import java.time.Duration;

/**
 * How requests are sent again. After a 429 every request is; after a lost answer or a failure of the server only reads, and
 * writes with an Idempotency-Key.
 */
public final class Retry {
  final int attemptsMax;
  final Duration waitMax;
  final Duration backoff;

  /**
   * @param attemptsMax with the first attempt
   * @param waitMax an answer that requests a longer wait is returned at once
   * @param backoff before the second attempt where the answer says none, doubled each time
   */
  public Retry(int attemptsMax, Duration waitMax, Duration backoff) {
    this.attemptsMax = attemptsMax;
    this.waitMax = waitMax;
    this.backoff = backoff;
  }

  static Retry withAttempts(int attemptsMax) {
    return new Retry(attemptsMax, Duration.ofSeconds(10), Duration.ofSeconds(1));
  }
}
