package crossdock;

import crossdock.feeds.FeedDocument;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client of the XML feeds over HTTP. */
public final class FeedClient {
  private final String base;
  private final String apiKey;
  private final Transport transport;

  /** @param baseUrl of the feeds, such as {@code https://feeds.example.com} */
  public FeedClient(String baseUrl, String clientId, String apiKey) {
    this(baseUrl, clientId, apiKey, Duration.ofSeconds(35), Retry.withAttempts(5));
  }

  /** With another time-out of each attempt, and other waits. */
  public FeedClient(String baseUrl, String clientId, String apiKey, Duration timeout, Retry retry) {
    this.base = CrossdockClient.withoutSlash(baseUrl) + "/feeds/" + Request.escape(clientId) + "/";
    this.apiKey = apiKey;
    this.transport = new Transport(timeout, retry);
  }

  /**
   * Sends a document, and waits for its acknowledgement: {@code isSuccess()} says whether it was accepted.
   *
   * @param idempotencyKey the document counts once, however often it is sent; with null it is not sent again after a lost answer
   * @throws FeedException when the request was refused before the document was validated
   */
  public Acknowledgement send(FeedDocument document, String idempotencyKey) {
    return post(document.feed(), write(document), idempotencyKey, idempotencyKey != null);
  }

  /** The acknowledgement that the document would get; stores nothing. */
  public Acknowledgement validate(FeedDocument document) {
    return post(document.feed() + "/validate", write(document), null, true);
  }

  /** The XML of a document. Fields that are null are left out. */
  public static byte[] write(FeedDocument document) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    element(out, document.root(), Json.tree(document));
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private Acknowledgement post(String path, byte[] content, String key, boolean isRepeatable) {
    Map<String, String> headers = new HashMap<>();
    headers.put("X-API-KEY", apiKey);
    headers.put("Content-Type", "application/xml");
    if (key != null) {
      headers.put("Idempotency-Key", key);
    }
    Answer answer = transport.sendPatiently(isRepeatable, "POST", base + path, () -> headers, content);
    if (answer.status == 200 || answer.status == 422) {
      try {
        return Acknowledgement.read(answer.body);
      } catch (IllegalArgumentException error) {
        // A proxy answered.
      }
    }
    throw new FeedException(answer.status, answer.text());
  }

  private static void element(StringBuilder out, String name, Object value) {
    out.append('<').append(name);
    if (!(value instanceof Map)) {
      out.append('>').append(text(name, value)).append("</").append(name).append('>');
      return;
    }
    Map<?, ?> parts = (Map<?, ?>) value;
    parts.forEach((key, part) -> {
      if (isAttribute(key)) {
        out.append(' ').append(key.toString().substring(1)).append("=\"").append(text(name, part)).append('"');
      }
    });
    out.append('>');
    parts.forEach((key, part) -> {
      if (key.equals("#text")) {
        out.append(text(name, part));
      } else if (!isAttribute(key)) {
        for (Object item : part instanceof List ? (List<?>) part : List.of(part)) {
          element(out, key.toString(), item);
        }
      }
    });
    out.append("</").append(name).append('>');
  }

  private static boolean isAttribute(Object name) {
    return name.toString().startsWith("@");
  }

  private static String text(String name, Object value) {
    // Without an exponent, which a decimal of XSD does not have.
    String text = value instanceof BigDecimal ? ((BigDecimal) value).toPlainString() : value.toString();
    StringBuilder out = new StringBuilder();
    text.codePoints().forEach(letter -> {
      boolean isControl = letter < ' ' && letter != '\n' && letter != '\r' && letter != '\t';
      if (isControl || letter >= 0xd800 && letter <= 0xdfff || letter == 0xfffe || letter == 0xffff) {
        throw new IllegalArgumentException(name + " has a character that XML cannot carry");
      }
      if (letter < ' ' || "&<>\"".indexOf(letter) >= 0) {
        out.append("&#").append(letter).append(';');
      } else {
        out.appendCodePoint(letter);
      }
    });
    return out.toString();
  }
}
