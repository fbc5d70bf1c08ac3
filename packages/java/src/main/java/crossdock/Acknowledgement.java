package crossdock;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** The answer to a document of a feed. */
public final class Acknowledgement {
  private static final Pattern FAULT = Pattern.compile("\\[(\\w+)\\] (.*)", Pattern.DOTALL);
  private static final Pattern LINE = Pattern.compile("\\bLine (\\d+)");
  private final Element root;

  /** An error: {@code [UNKNOWN_SKU] The request …}. */
  public static final class Fault {
    private final String code;
    private final String message;
    private final Integer line;

    private Fault(String text) {
      Matcher parts = FAULT.matcher(text);
      boolean isCoded = parts.matches();
      code = isCoded ? parts.group(1) : "";
      message = isCoded ? parts.group(2) : text;
      Matcher found = LINE.matcher(message);
      line = found.find() ? Integer.valueOf(found.group(1)) : null;
    }

    /** Programs react to it: {@code UNKNOWN_SKU}. */
    public String getCode() {
      return code;
    }

    public String getMessage() {
      return message;
    }

    /** The line of the document as it was sent; null where the message names none. */
    public Integer getLine() {
      return line;
    }
  }

  private Acknowledgement(Element root) {
    this.root = root;
  }

  /** @throws IllegalArgumentException where the text is no acknowledgement */
  public static Acknowledgement read(byte[] text) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      javax.xml.parsers.DocumentBuilder builder = factory.newDocumentBuilder();
      // The default one prints errors.
      builder.setErrorHandler(new DefaultHandler());
      Element root = builder.parse(new ByteArrayInputStream(text)).getDocumentElement();
      if (root.getTagName().equals("apiResponse")) {
        return new Acknowledgement(root);
      }
      throw new IllegalArgumentException("<" + root.getTagName() + "> is not an acknowledgement");
    } catch (SAXException | IOException | ParserConfigurationException error) {
      throw new IllegalArgumentException("not an acknowledgement", error);
    }
  }

  /** Correlation token of the document. */
  public String getToken() {
    return text("token");
  }

  /** Whether the document was accepted. */
  public boolean isSuccess() {
    return "true".equals(text("success"));
  }

  public String getFeedType() {
    return text("feedType");
  }

  public List<Fault> getErrors() {
    List<Fault> faults = new ArrayList<>();
    for (Element error : children("errors", "error")) {
      faults.add(new Fault(error.getTextContent()));
    }
    return faults;
  }

  public List<String> getMissingSkus() {
    List<String> skus = new ArrayList<>();
    for (Element sku : children("missingSkus", "sku")) {
      skus.add(sku.getTextContent());
    }
    return skus;
  }

  /** Null where the document has none. */
  public String getObjectId() {
    return text("objectId");
  }

  private String text(String name) {
    List<Element> found = children(root, name);
    return found.isEmpty() ? null : found.get(0).getTextContent();
  }

  private List<Element> children(String list, String name) {
    List<Element> found = children(root, list);
    return found.isEmpty() ? found : children(found.get(0), name);
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        found.add((Element) node);
      }
    }
    return found;
  }
}
