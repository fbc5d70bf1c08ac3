package crossdock;

/** The token endpoint refused the request (RFC 6749 §5.2), or its answer has no token. */
public final class TokenException extends CrossdockException {
  private static final long serialVersionUID = 1L;
  private final int status;
  private final String error;

  TokenException(int status, String error, String description) {
    super(("no token: " + status + " " + error + " " + description).trim());
    this.status = status;
    this.error = error;
  }

  public int getStatus() {
    return status;
  }

  /** {@code invalid_client} or another one of RFC 6749; empty if the answer is not from the endpoint. */
  public String getError() {
    return error;
  }
}
