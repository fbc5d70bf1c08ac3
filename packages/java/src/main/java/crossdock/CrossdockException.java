package crossdock;

/** A refusal. Where no answer arrives, calls throw {@link java.io.UncheckedIOException}. */
public abstract class CrossdockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CrossdockException(String message) {
    super(message);
  }
}
