package crossdock;

/** A feed was refused before its document was validated: the key, the address or the size is wrong. */
public final class FeedException extends CrossdockException {
  private static final long serialVersionUID = 1L;
  private final int status;
  private final String answer;

  FeedException(int status, String answer) {
    super("the feed was refused with " + status + ": " + answer.substring(0, Math.min(500, answer.length())));
    this.status = status;
    this.answer = answer;
  }

  public int getStatus() {
    return status;
  }

  public String getAnswer() {
    return answer;
  }
}
