package crossdock;

/** The push is not genuine, or too old: answer it with 401. */
public final class SignatureException extends CrossdockException {
  private static final long serialVersionUID = 1L;

  SignatureException(String message) {
    super(message);
  }
}
