package crossdock;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** Selects events of the log; without options all are read from the oldest one. */
public final class EventOptions {
  String cursor;
  Consumer<String> save;
  Duration follow;
  private String topicName;
  private String facilityCode;
  private String objectType;
  private String objectId;
  private Instant since;

  /** Where the last run ended. */
  public EventOptions cursor(String value) {
    cursor = value;
    return this;
  }

  /**
   * Gets the cursor when every event before it was handled. Store it: a program that ends continues there, and sees at most the
   * events of one page again.
   */
  public EventOptions save(Consumer<String> value) {
    save = value;
    return this;
  }

  /** Waits for further events at the end of the log, looking again after this time; without it the log ends there. */
  public EventOptions follow(Duration value) {
    follow = value;
    return this;
  }

  /** One topic, a group such as {@code order:*}, or {@code *} for all. */
  public EventOptions topicName(String value) {
    topicName = value;
    return this;
  }

  public EventOptions facilityCode(String value) {
    facilityCode = value;
    return this;
  }

  public EventOptions objectType(String value) {
    objectType = value;
    return this;
  }

  public EventOptions objectId(String value) {
    objectId = value;
    return this;
  }

  /** The first event at or after this time, where there is no cursor. */
  public EventOptions since(Instant value) {
    since = value;
    return this;
  }

  Request request() {
    return new Request("GET", "/v1/webhookService/event/list")
        .query("topicName", topicName)
        .query("facilityCode", facilityCode)
        .query("objectType", objectType)
        .query("objectId", objectId)
        .query("since", since);
  }
}
