package crossdock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The problem details of a refused request (RFC 9457). */
public final class ProblemException extends CrossdockException {
  private static final long serialVersionUID = 1L;
  private static final int QUOTED_MAX = 500;
  private final int status;
  private final transient Map<String, Object> members;

  /** A fault of the request; {@code code} and {@code remedy} are those of a refused document, else null. */
  public static final class Fault {
    private String pointer;
    private String message;
    private String code;
    private String remedy;

    public String getPointer() {
      return pointer;
    }

    public String getMessage() {
      return message;
    }

    public String getCode() {
      return code;
    }

    public String getRemedy() {
      return remedy;
    }
  }

  private ProblemException(int status, Map<String, Object> members) {
    super(status + " " + members.getOrDefault("title", "") + ": " + members.getOrDefault("detail", "")
        + " (correlation token " + members.getOrDefault("correlationToken", "") + ")");
    this.status = status;
    this.members = members;
  }

  static ProblemException of(Answer answer) {
    Map<String, Object> members = Json.object(answer.text());
    if (!members.containsKey("type")) {
      // A proxy refuses without problem details.
      String text = answer.text();
      members.clear();
      members.put("type", "about:blank");
      members.put("detail", text.substring(0, Math.min(QUOTED_MAX, text.length())));
      members.put("correlationToken", answer.header("X-Correlation-Token"));
    }
    return new ProblemException(answer.status, members);
  }

  public int getStatus() {
    return status;
  }

  /** The last part of the type: {@code conflict} in {@code /problems/conflict}. */
  public String getCode() {
    String type = String.valueOf(members.get("type"));
    return type.substring(type.lastIndexOf('/') + 1);
  }

  public String getDetail() {
    return String.valueOf(members.getOrDefault("detail", ""));
  }

  /** Identifies the request in the operator's log. */
  public String getCorrelationToken() {
    return String.valueOf(members.getOrDefault("correlationToken", ""));
  }

  /** Every fault of the request. */
  public List<Fault> getErrors() {
    List<Fault> faults = new ArrayList<>();
    if (members.get("errors") instanceof List) {
      for (Object fault : (List<?>) members.get("errors")) {
        faults.add(Json.read(Fault.class, fault));
      }
    }
    return faults;
  }

  /** All members of the problem, as JSON. */
  public Map<String, Object> getMembers() {
    return members;
  }
}
