package crossdock;

import crossdock.webhook.EventPush;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies pushes (Standard Webhooks). */
public final class Webhooks {
  private static final Duration TOLERANCE = Duration.ofSeconds(300);

  private Webhooks() {}

  /**
   * The event of a push, after its signature was verified.
   *
   * @param header the value of a header by its name, null where there is none, such as {@code request::getHeader}
   * @param body the bytes as they were received
   * @throws SignatureException the push is not genuine, or too old
   */
  public static EventPush verify(String secret, Function<String, String> header, byte[] body) {
    return verify(secret, header, body, Instant.now(), TOLERANCE);
  }

  /** With another clock and another tolerance. */
  public static EventPush verify(
      String secret, Function<String, String> header, byte[] body, Instant now, Duration tolerance) {
    String sentAt = String.valueOf(header.apply("webhook-timestamp"));
    boolean isTime = sentAt.matches("\\d{1,12}");
    if (!isTime || Duration.between(Instant.ofEpochSecond(Long.parseLong(sentAt)), now).abs().compareTo(tolerance) > 0) {
      throw new SignatureException("the time " + sentAt + " differs by more than " + tolerance + " from the clock");
    }
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(digest(secret, header, sentAt, body)))
        .getBytes(StandardCharsets.US_ASCII);
    for (String signature : String.valueOf(header.apply("webhook-signature")).split(" ")) {
      if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) {
        return Json.read(EventPush.class, Json.parse(new String(body, StandardCharsets.UTF_8)));
      }
    }
    throw new SignatureException("no signature fits the body and the secret");
  }

  private static byte[] digest(String secret, Function<String, String> header, String sentAt, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
      mac.update((header.apply("webhook-id") + "." + sentAt + ".").getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }
}
