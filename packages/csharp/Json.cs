using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text;

namespace Crossdock
{
    /// <summary>The name of a property in JSON; of a feed @unit is an attribute, and #text the text beside it.</summary>
    [AttributeUsage(AttributeTargets.Property)]
    public sealed class NameAttribute : Attribute
    {
        public NameAttribute(string name) { Name = name; }

        public string Name { get; }
    }

    /// <summary>JSON as dictionaries, lists, texts, decimals and flags; and records of the documents from and to it.</summary>
    public sealed class Json
    {
        private readonly string text;
        private int at;

        private Json(string text) { this.text = text; }

        /// <exception cref="FormatException">The text is not JSON.</exception>
        public static object Parse(string text)
        {
            var json = new Json(text);
            var value = json.Value();
            json.Blanks();
            if (json.at < text.Length) throw json.Fault();
            return value;
        }

        /// <summary>A record of JSON. Members that it does not know are left out: a later server may send more.</summary>
        public static T Read<T>(object json) { return (T)Read(typeof(T), json); }

        /// <summary>Of records, dictionaries, lists and plain values. Properties of records that are null are left out.</summary>
        public static string Write(object value)
        {
            var output = new StringBuilder();
            Write(output, value);
            return output.ToString();
        }

        /// <summary>The members of an object; empty where the text is none.</summary>
        internal static IDictionary<string, object> Members(string text)
        {
            try
            {
                return Parse(text) as Dictionary<string, object> ?? new Dictionary<string, object>();
            }
            catch (FormatException)
            {
                return new Dictionary<string, object>();
            }
        }

        /// <summary>The members of a record or of a dictionary, in their order; null for any other value.</summary>
        internal static IEnumerable<KeyValuePair<string, object>> MembersOf(object value)
        {
            var map = value as IDictionary;
            if (map != null)
            {
                var parts = new List<KeyValuePair<string, object>>();
                foreach (DictionaryEntry part in map) parts.Add(new KeyValuePair<string, object>((string)part.Key, part.Value));
                return parts;
            }
            if (value == null || value is string || value.GetType().IsValueType || value is IEnumerable) return null;
            return PropertiesOf(value.GetType())
                .Select(property => new KeyValuePair<string, object>(NameOf(property), property.GetValue(value, null)))
                .Where(part => part.Value != null);
        }

        /// <summary>As JSON and XML write it.</summary>
        internal static string TextOf(object value)
        {
            if (value is DateTimeOffset)
            {
                var utc = ((DateTimeOffset)value).ToUniversalTime();
                return utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
            }
            if (value is bool) return (bool)value ? "true" : "false";
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        private static IEnumerable<PropertyInfo> PropertiesOf(Type type)
        {
            return type.GetProperties()
                .Where(property => property.IsDefined(typeof(NameAttribute), false))
                .OrderBy(property => property.MetadataToken);
        }

        private static string NameOf(PropertyInfo property)
        {
            return ((NameAttribute)property.GetCustomAttributes(typeof(NameAttribute), false)[0]).Name;
        }

        private static object Read(Type type, object json)
        {
            if (json == null || type == typeof(object)) return json;
            type = Nullable.GetUnderlyingType(type) ?? type;
            if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>))
            {
                var values = (IList)Activator.CreateInstance(type);
                foreach (var part in (IList)json) values.Add(Read(type.GetGenericArguments()[0], part));
                return values;
            }
            if (type.IsGenericType)
            {
                var values = (IDictionary)Activator.CreateInstance(type);
                foreach (DictionaryEntry part in (IDictionary)json)
                {
                    values.Add(part.Key, Read(type.GetGenericArguments()[1], part.Value));
                }
                return values;
            }
            if (type == typeof(DateTimeOffset))
            {
                return DateTimeOffset.Parse((string)json, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);
            }
            var members = json as IDictionary<string, object>;
            if (members == null) return Convert.ChangeType(json, type, CultureInfo.InvariantCulture);
            var record = Activator.CreateInstance(type);
            foreach (var property in PropertiesOf(type))
            {
                object part;
                if (members.TryGetValue(NameOf(property), out part))
                {
                    property.SetValue(record, Read(property.PropertyType, part), null);
                }
            }
            return record;
        }

        private static void Write(StringBuilder output, object value)
        {
            var members = MembersOf(value);
            if (value == null) output.Append("null");
            else if (value is string || value is DateTimeOffset) Quote(output, TextOf(value));
            else if (members != null)
            {
                var separator = "{";
                foreach (var member in members)
                {
                    output.Append(separator);
                    Quote(output, member.Key);
                    output.Append(':');
                    Write(output, member.Value);
                    separator = ",";
                }
                output.Append(separator == "{" ? "{}" : "}");
            }
            else if (value is IEnumerable)
            {
                var separator = "[";
                foreach (var part in (IEnumerable)value)
                {
                    output.Append(separator);
                    Write(output, part);
                    separator = ",";
                }
                output.Append(separator == "[" ? "[]" : "]");
            }
            else output.Append(TextOf(value));
        }

        private static void Quote(StringBuilder output, string text)
        {
            output.Append('"');
            foreach (var letter in text)
            {
                if (letter == '"' || letter == '\\') output.Append('\\').Append(letter);
                else if (letter < ' ') output.Append("\\u").Append(((int)letter).ToString("x4"));
                else output.Append(letter);
            }
            output.Append('"');
        }

        private object Value()
        {
            Blanks();
            switch (at < text.Length ? text[at] : ' ')
            {
                case '{': return Members();
                case '[': return Parts();
                case '"': return Quoted();
                case 't': return Literal("true", true);
                case 'f': return Literal("false", false);
                case 'n': return Literal("null", null);
                default: return Number();
            }
        }

        private Dictionary<string, object> Members()
        {
            var members = new Dictionary<string, object>();
            at++;
            Blanks();
            if (Took('}')) return members;
            do
            {
                Blanks();
                var name = Quoted();
                Blanks();
                Expect(':');
                members[name] = Value();
                Blanks();
            }
            while (Took(','));
            Expect('}');
            return members;
        }

        private List<object> Parts()
        {
            var parts = new List<object>();
            at++;
            Blanks();
            if (Took(']')) return parts;
            do
            {
                parts.Add(Value());
                Blanks();
            }
            while (Took(','));
            Expect(']');
            return parts;
        }

        private string Quoted()
        {
            Expect('"');
            var output = new StringBuilder();
            while (at < text.Length && text[at] != '"')
            {
                var letter = text[at++];
                output.Append(letter == '\\' ? Escaped() : letter);
            }
            Expect('"');
            return output.ToString();
        }

        private char Escaped()
        {
            if (at >= text.Length) throw Fault();
            var letter = text[at++];
            var plain = "nrtbf".IndexOf(letter);
            if (plain >= 0) return "\n\r\t\b\f"[plain];
            if (letter != 'u') return letter;
            if (at + 4 > text.Length) throw Fault();
            at += 4;
            return (char)int.Parse(text.Substring(at - 4, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        }

        private object Literal(string word, object value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Fault();
            at += word.Length;
            return value;
        }

        private object Number()
        {
            var start = at;
            while (at < text.Length && "+-.eE0123456789".IndexOf(text[at]) >= 0) at++;
            decimal value;
            if (!decimal.TryParse(text.Substring(start, at - start), NumberStyles.Float, CultureInfo.InvariantCulture, out value))
            {
                throw Fault();
            }
            return value;
        }

        private void Blanks()
        {
            while (at < text.Length && " \n\r\t".IndexOf(text[at]) >= 0) at++;
        }

        private bool Took(char letter)
        {
            if (at >= text.Length || text[at] != letter) return false;
            at++;
            return true;
        }

        private void Expect(char letter)
        {
            if (!Took(letter)) throw Fault();
        }

        private FormatException Fault() { return new FormatException("not JSON at character " + at); }
    }
}
