import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.xml.sax.SAXException;

/**
 * Judges documents by Java's built-in validator, with its default limits, as a client's program would.
 * Reads lines "schema TAB document" (two file names), answers each with "valid" or "invalid" TAB the reason.
 */
class Validate {
  public static void main(String[] arguments) throws Exception {
    var factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
    Map<String, Schema> schemas = new HashMap<>();
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      var names = line.split("\t");
      if (!schemas.containsKey(names[0])) schemas.put(names[0], factory.newSchema(new File(names[0])));
      try {
        schemas.get(names[0]).newValidator().validate(new StreamSource(new File(names[1])));
        System.out.println("valid");
      } catch (SAXException refusal) {
        System.out.println("invalid\t" + String.valueOf(refusal.getMessage()).replaceAll("\\s+", " "));
      }
    }
  }
}
