using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using System.Xml;
using Crossdock.Feeds;

namespace Crossdock
{
    /// <summary>An error of an acknowledgement: [UNKNOWN_SKU] The request …</summary>
    public sealed class FeedFault
    {
        private static readonly Regex Parts = new Regex(@"^\[(\w+)\] (.*)$", RegexOptions.Singleline);
        private static readonly Regex InLine = new Regex(@"\bLine (\d+)");

        internal FeedFault(string text)
        {
            var parts = Parts.Match(text);
            Code = parts.Success ? parts.Groups[1].Value : "";
            Message = parts.Success ? parts.Groups[2].Value : text;
            var line = InLine.Match(Message);
            if (line.Success) Line = int.Parse(line.Groups[1].Value);
        }

        /// <summary>Programs react to it: UNKNOWN_SKU.</summary>
        public string Code { get; }

        public string Message { get; }

        /// <summary>The line of the document as it was sent; null where the message names none.</summary>
        public int? Line { get; }
    }

    /// <summary>The answer to a document.</summary>
    public sealed class Acknowledgement
    {
        private readonly XmlElement root;

        private Acknowledgement(XmlElement root) { this.root = root; }

        /// <exception cref="XmlException">The text is no acknowledgement.</exception>
        public static Acknowledgement Read(byte[] text)
        {
            var document = new XmlDocument { XmlResolver = null };
            using (var reader = XmlReader.Create(new MemoryStream(text), new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit }))
            {
                document.Load(reader);
            }
            var root = document.DocumentElement;
            if (root.Name != "apiResponse") throw new XmlException("<" + root.Name + "> is not an acknowledgement");
            return new Acknowledgement(root);
        }

        /// <summary>Correlation token of the document.</summary>
        public string Token { get { return TextOf("token"); } }

        /// <summary>Whether the document was accepted.</summary>
        public bool Success { get { return TextOf("success") == "true"; } }

        public string FeedType { get { return TextOf("feedType"); } }

        public IReadOnlyList<FeedFault> Errors { get { return TextsOf("errors/error").Select(text => new FeedFault(text)).ToList(); } }

        public IReadOnlyList<string> MissingSkus { get { return TextsOf("missingSkus/sku").ToList(); } }

        /// <summary>Null where the document has none.</summary>
        public string ObjectId { get { return TextOf("objectId"); } }

        private string TextOf(string name) { return TextsOf(name).FirstOrDefault(); }

        private IEnumerable<string> TextsOf(string path) { return root.SelectNodes(path).Cast<XmlNode>().Select(node => node.InnerText); }
    }

    /// <summary>A client of the XML feeds over HTTP.</summary>
    public sealed class FeedClient
    {
        private readonly string address;
        private readonly string apiKey;
        private readonly Transport transport;

        /// <param name="baseUrl">The base address of the feeds, such as https://feeds.example.com.</param>
        public FeedClient(string baseUrl, string clientId, string apiKey, TimeSpan? timeout = null, Retry retry = null)
        {
            address = baseUrl.TrimEnd('/') + "/feeds/" + Uri.EscapeDataString(clientId) + "/";
            this.apiKey = apiKey;
            transport = new Transport(timeout ?? TimeSpan.FromSeconds(35), retry ?? new Retry { AttemptsMax = 5 });
        }

        /// <summary>Sends a document, and waits for its acknowledgement: Success says whether it was accepted.</summary>
        /// <param name="idempotencyKey">
        /// The document counts once, however often it is sent. Without it a document is not sent again after a lost answer.
        /// </param>
        /// <exception cref="FeedException">The request was refused before the document was validated.</exception>
        public Task<Acknowledgement> SendAsync(
            IFeedDocument document, string idempotencyKey = null, CancellationToken cancellationToken = default(CancellationToken))
        {
            return PostAsync(document, "", idempotencyKey, idempotencyKey != null, cancellationToken);
        }

        /// <summary>The acknowledgement that the document would get; stores nothing.</summary>
        public Task<Acknowledgement> ValidateAsync(
            IFeedDocument document, CancellationToken cancellationToken = default(CancellationToken))
        {
            return PostAsync(document, "/validate", null, true, cancellationToken);
        }

        /// <summary>The XML of a document. Properties that are null are left out.</summary>
        /// <exception cref="ArgumentException">A text has a character that XML cannot carry.</exception>
        public static byte[] Write(IFeedDocument document)
        {
            var output = new MemoryStream();
            var settings = new XmlWriterSettings { Encoding = new UTF8Encoding(false), NewLineHandling = NewLineHandling.Entitize };
            using (var writer = XmlWriter.Create(output, settings)) Write(writer, document.Root, document);
            return output.ToArray();
        }

        private static void Write(XmlWriter writer, string name, object value)
        {
            writer.WriteStartElement(name);
            var members = Json.MembersOf(value);
            if (members == null) writer.WriteString(Json.TextOf(value));
            else
            {
                var parts = members.ToList();
                foreach (var part in parts.Where(part => part.Key[0] == '@'))
                {
                    writer.WriteAttributeString(part.Key.Substring(1), Json.TextOf(part.Value));
                }
                foreach (var part in parts.Where(part => part.Key[0] != '@'))
                {
                    if (part.Key == "#text") writer.WriteString(Json.TextOf(part.Value));
                    else if (!(part.Value is IList)) Write(writer, part.Key, part.Value);
                    else foreach (var item in (IList)part.Value) Write(writer, part.Key, item);
                }
            }
            writer.WriteEndElement();
        }

        private async Task<Acknowledgement> PostAsync(
            IFeedDocument document, string suffix, string key, bool isRepeatable, CancellationToken cancellation)
        {
            IDictionary<string, string> headers = new Dictionary<string, string> { { "X-API-KEY", apiKey }, { "Content-Type", "application/xml" } };
            if (key != null) headers["Idempotency-Key"] = key;
            var content = Write(document);
            var answer = await transport.SendPatientlyAsync(
                isRepeatable, "POST", address + document.Feed + suffix, () => Task.FromResult(headers), content, cancellation)
                .ConfigureAwait(false);
            if (answer.Status == 200 || answer.Status == 422)
            {
                try
                {
                    return Acknowledgement.Read(answer.Body);
                }
                catch (XmlException)
                {
                    // A proxy answered.
                }
            }
            throw new FeedException(answer.Status, answer.Text);
        }
    }
}
