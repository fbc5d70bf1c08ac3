package crossdock;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, {@link BigDecimal} and {@link Boolean}; and records of the documents from and to it. */
public final class Json {
  private static final DateTimeFormatter MILLISECONDS = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** @throws IllegalArgumentException where the text is not JSON */
  public static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.blanks();
    if (json.at < text.length()) {
      throw json.fault();
    }
    return value;
  }

  /** The members of an object; empty where the text is none. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> object(String text) {
    try {
      Object value = parse(text);
      return value instanceof Map ? (Map<String, Object>) value : new LinkedHashMap<>();
    } catch (IllegalArgumentException error) {
      return new LinkedHashMap<>();
    }
  }

  /** Of records, maps, lists and plain values. Fields of records that are null are left out. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, tree(value));
    return out.toString();
  }

  /** Records as maps; times as texts. */
  static Object tree(Object value) {
    if (value instanceof Map) {
      Map<String, Object> members = new LinkedHashMap<>();
      ((Map<?, ?>) value).forEach((name, part) -> members.put(String.valueOf(name), tree(part)));
      return members;
    }
    if (value instanceof Iterable) {
      List<Object> parts = new ArrayList<>();
      ((Iterable<?>) value).forEach(part -> parts.add(tree(part)));
      return parts;
    }
    if (value instanceof Instant) {
      return MILLISECONDS.format((Instant) value);
    }
    if (value == null || value instanceof String || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    Map<String, Object> members = new LinkedHashMap<>();
    for (Field field : fieldsOf(value.getClass())) {
      try {
        Object part = field.get(value);
        if (part != null) {
          members.put(nameOf(field), tree(part));
        }
      } catch (IllegalAccessException error) {
        throw new IllegalStateException(error);
      }
    }
    return members;
  }

  /** A record of JSON. Members that it does not know are left out: a later server may send more. */
  @SuppressWarnings("unchecked")
  public static <T> T read(Class<T> type, Object json) {
    return (T) readAny(type, json);
  }

  private static Object readAny(Type type, Object json) {
    if (json == null || type == Object.class) {
      return json;
    }
    if (type instanceof ParameterizedType) {
      Type[] parts = ((ParameterizedType) type).getActualTypeArguments();
      if (json instanceof List) {
        List<Object> values = new ArrayList<>();
        ((List<?>) json).forEach(part -> values.add(readAny(parts[0], part)));
        return values;
      }
      Map<String, Object> values = new LinkedHashMap<>();
      ((Map<?, ?>) json).forEach((name, part) -> values.put(String.valueOf(name), readAny(parts[1], part)));
      return values;
    }
    if (type == Long.class) {
      return ((BigDecimal) json).longValueExact();
    }
    if (type == Instant.class) {
      return OffsetDateTime.parse((String) json).toInstant();
    }
    if (!(json instanceof Map)) {
      return ((Class<?>) type).cast(json);
    }
    try {
      Object record = ((Class<?>) type).getDeclaredConstructor().newInstance();
      for (Field field : fieldsOf((Class<?>) type)) {
        field.set(record, readAny(field.getGenericType(), ((Map<?, ?>) json).get(nameOf(field))));
      }
      return record;
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }

  private static List<Field> fieldsOf(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
        field.setAccessible(true);
        fields.add(field);
      }
    }
    return fields;
  }

  private static String nameOf(Field field) {
    Name name = field.getAnnotation(Name.class);
    return name == null ? field.getName() : name.value();
  }

  private static void write(StringBuilder out, Object value) {
    if (value instanceof Map) {
      String separator = "{";
      for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
        out.append(separator);
        quote(out, (String) member.getKey());
        out.append(':');
        write(out, member.getValue());
        separator = ",";
      }
      out.append(separator.equals("{") ? "{}" : "}");
    } else if (value instanceof List) {
      String separator = "[";
      for (Object part : (List<?>) value) {
        out.append(separator);
        write(out, part);
        separator = ",";
      }
      out.append(separator.equals("[") ? "[]" : "]");
    } else if (value instanceof String) {
      quote(out, (String) value);
    } else {
      out.append(value instanceof BigDecimal ? ((BigDecimal) value).toPlainString() : String.valueOf(value));
    }
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '"' || letter == '\\') {
        out.append('\\').append(letter);
      } else if (letter < ' ') {
        out.append(String.format("\\u%04x", (int) letter));
      } else {
        out.append(letter);
      }
    }
    out.append('"');
  }

  private Object value() {
    blanks();
    switch (at < text.length() ? text.charAt(at) : ' ') {
      case '{':
        return members();
      case '[':
        return parts();
      case '"':
        return quoted();
      case 't':
        return literal("true", true);
      case 'f':
        return literal("false", false);
      case 'n':
        return literal("null", null);
      default:
        return number();
    }
  }

  private Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    blanks();
    if (took('}')) {
      return members;
    }
    do {
      blanks();
      String name = quoted();
      blanks();
      expect(':');
      members.put(name, value());
      blanks();
    } while (took(','));
    expect('}');
    return members;
  }

  private List<Object> parts() {
    List<Object> parts = new ArrayList<>();
    at++;
    blanks();
    if (took(']')) {
      return parts;
    }
    do {
      parts.add(value());
      blanks();
    } while (took(','));
    expect(']');
    return parts;
  }

  private String quoted() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char letter = text.charAt(at++);
      out.append(letter == '\\' ? escaped() : letter);
    }
    expect('"');
    return out.toString();
  }

  private char escaped() {
    if (at >= text.length()) {
      throw fault();
    }
    char letter = text.charAt(at++);
    int plain = "nrtbf".indexOf(letter);
    if (plain >= 0) {
      return "\n\r\t\b\f".charAt(plain);
    }
    if (letter != 'u') {
      return letter;
    }
    if (at + 4 > text.length()) {
      throw fault();
    }
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  private Object literal(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw fault();
    }
    at += word.length();
    return value;
  }

  private BigDecimal number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return new BigDecimal(text.substring(start, at));
    } catch (NumberFormatException error) {
      throw fault();
    }
  }

  private void blanks() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean took(char letter) {
    if (at < text.length() && text.charAt(at) == letter) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char letter) {
    if (!took(letter)) {
      throw fault();
    }
  }

  private IllegalArgumentException fault() {
    return new IllegalArgumentException("not JSON at character " + at);
  }
}
