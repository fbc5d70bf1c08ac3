using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace Crossdock
{
    /// <summary>Options of a client.</summary>
    public sealed class ClientOptions
    {
        /// <param name="baseUrl">The base address of the services, such as https://api.example.com.</param>
        public ClientOptions(string baseUrl, string clientId, string clientSecret)
        {
            BaseUrl = AuthUrl = baseUrl;
            ClientId = clientId;
            ClientSecret = clientSecret;
        }

        public string BaseUrl { get; }

        public string ClientId { get; }

        public string ClientSecret { get; }

        /// <summary>The base address of the token endpoint, if different.</summary>
        public string AuthUrl { get; set; }

        /// <summary>Of each attempt.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);

        public Retry Retry { get; set; } = new Retry();
    }

    /// <summary>A request of a service.</summary>
    public sealed class Request
    {
        private readonly List<KeyValuePair<string, string>> query = new List<KeyValuePair<string, string>>();

        /// <param name="path">Begins with a slash; what it contains is escaped.</param>
        public Request(string method, string path)
        {
            // Any other path could name another host, which would receive the token.
            if (!path.StartsWith("/", StringComparison.Ordinal)) throw new ArgumentException("the path does not begin with a slash: " + path);
            Method = method;
            Path = path;
        }

        internal string Method { get; }

        internal string Path { get; }

        /// <summary>A record, or a dictionary, as JSON.</summary>
        public object Body { get; set; }

        /// <summary>A write with a key can be sent again.</summary>
        public string IdempotencyKey { get; set; }

        /// <summary>The ETag of the version to change.</summary>
        public string IfMatch { get; set; }

        /// <summary>Sets a parameter; null removes it.</summary>
        public Request Query(string name, object value)
        {
            query.RemoveAll(pair => pair.Key == name);
            if (value != null) query.Add(new KeyValuePair<string, string>(name, Json.TextOf(value)));
            return this;
        }

        internal string Target
        {
            get
            {
                var pairs = query.Select(pair => Uri.EscapeDataString(pair.Key) + "=" + Uri.EscapeDataString(pair.Value));
                return query.Count == 0 ? Path : Path + "?" + string.Join("&", pairs);
            }
        }

        internal Dictionary<string, string> Headers
        {
            get
            {
                var headers = new Dictionary<string, string> { { "Accept", "application/json, */*;q=0.5" } };
                if (Body != null) headers["Content-Type"] = "application/json";
                if (IdempotencyKey != null) headers["Idempotency-Key"] = IdempotencyKey;
                if (IfMatch != null) headers["If-Match"] = IfMatch;
                return headers;
            }
        }
    }

    /// <summary>
    /// A client of the REST services: client.Orders and so on share one token. Methods throw a ProblemException when the service
    /// refuses the request, a TokenException when there is no token, and an HttpRequestException when no answer arrives.
    /// </summary>
    public sealed partial class CrossdockClient
    {
        private static readonly Regex LookUp = new Regex("/find[A-Z][A-Za-z]*$");
        private static readonly Regex EmptyQuota = new Regex(";r=0;t=[1-9]");
        private readonly string baseUrl;
        private readonly Transport transport;
        private readonly Tokens tokens;
        private DateTime fullUntil = DateTime.MinValue;

        /// <summary>Sends nothing yet.</summary>
        public CrossdockClient(ClientOptions options)
        {
            baseUrl = options.BaseUrl.TrimEnd('/');
            transport = new Transport(options.Timeout, options.Retry);
            tokens = new Tokens(options, transport);
        }

        /// <summary>The bytes of an answer, such as a label.</summary>
        public async Task<byte[]> FetchAsync(Request request, CancellationToken cancellationToken = default(CancellationToken))
        {
            var isRead = request.Method == "GET" || (request.Method == "POST" && LookUp.IsMatch(request.Path));
            var isRepeatable = isRead || request.IdempotencyKey != null;
            var body = request.Body == null ? null : Encoding.UTF8.GetBytes(Json.Write(request.Body));
            // The last answer left no request of the quota: it fills steadily.
            var pause = fullUntil - DateTime.UtcNow;
            if (pause > TimeSpan.Zero) await Task.Delay(pause, cancellationToken).ConfigureAwait(false);
            var token = "";
            Func<Task<IDictionary<string, string>>> withToken = async () =>
            {
                // Fetched for each attempt, because it may expire during a wait.
                token = await tokens.CurrentAsync(cancellationToken).ConfigureAwait(false);
                var headers = request.Headers;
                headers["Authorization"] = "Bearer " + token;
                return headers;
            };
            Func<Task<Answer>> send = () => transport.SendPatientlyAsync(
                isRepeatable, request.Method, baseUrl + request.Target, withToken, body, cancellationToken);
            var answer = await send().ConfigureAwait(false);
            if (answer.Status == 401 && (answer.Header("WWW-Authenticate") ?? "").Contains("error=\"invalid_token\""))
            {
                tokens.Forget(token);
                answer = await send().ConfigureAwait(false);
            }
            if (EmptyQuota.IsMatch(answer.Header("RateLimit") ?? "")) fullUntil = DateTime.UtcNow.AddSeconds(1);
            if (answer.Status < 200 || answer.Status > 299) throw ProblemException.Of(answer);
            return answer.Body;
        }

        /// <summary>The record of an answer; a dictionary where T is object. Null where it has no body.</summary>
        public async Task<T> SendAsync<T>(Request request, CancellationToken cancellationToken = default(CancellationToken))
        {
            var body = await FetchAsync(request, cancellationToken).ConfigureAwait(false);
            return Json.Read<T>(body.Length == 0 ? null : Json.Parse(Encoding.UTF8.GetString(body)));
        }

        /// <summary>The records of a list over all its pages, which are requested on demand.</summary>
        public RecordList<T> List<T>(Request request) { return new RecordList<T>(this, request, new EventOptions(), false); }

        /// <summary>The events of the client in the order of the log, a page at a time.</summary>
        public RecordList<global::Crossdock.Webhooks.Event> Events(EventOptions options = null)
        {
            var chosen = options ?? new EventOptions();
            return new RecordList<global::Crossdock.Webhooks.Event>(this, chosen.Request(), chosen, true);
        }
    }

    /// <summary>Selects events of the log; without options all are read from the oldest one.</summary>
    public sealed class EventOptions
    {
        /// <summary>Where the last run ended.</summary>
        public string Cursor { get; set; }

        /// <summary>
        /// Gets the cursor when every event before it was handled. Store it: a program that ends continues there, and sees at most
        /// the events of one page again.
        /// </summary>
        public Action<string> Save { get; set; }

        /// <summary>Waits for further events at the end of the log, looking again after this time; without it the log ends there.</summary>
        public TimeSpan? Follow { get; set; }

        /// <summary>One topic, a group such as order:*, or * for all.</summary>
        public string TopicName { get; set; }

        public string FacilityCode { get; set; }

        public string ObjectType { get; set; }

        public string ObjectId { get; set; }

        /// <summary>The first event at or after this time, where there is no cursor.</summary>
        public DateTimeOffset? Since { get; set; }

        internal Request Request()
        {
            return new Request("GET", "/v1/webhookService/event/list")
                .Query("topicName", TopicName)
                .Query("facilityCode", FacilityCode)
                .Query("objectType", ObjectType)
                .Query("objectId", ObjectId)
                .Query("since", Since);
        }
    }

    /// <summary>Records over all pages: while (await list.NextAsync()) use(list.Current).</summary>
    public sealed class RecordList<T>
    {
        private readonly CrossdockClient client;
        private readonly Request request;
        private readonly EventOptions options;
        private readonly bool isLog;
        private readonly Queue<object> items = new Queue<object>();
        private string cursor;
        private string next;
        private bool isEnd;

        internal RecordList(CrossdockClient client, Request request, EventOptions options, bool isLog)
        {
            this.client = client;
            this.request = request;
            this.options = options;
            this.isLog = isLog;
            cursor = options.Cursor;
        }

        /// <summary>The record that NextAsync found.</summary>
        public T Current { get; private set; }

        /// <summary>Whether there is another record. The one before it counts as handled.</summary>
        public async Task<bool> NextAsync(CancellationToken cancellationToken = default(CancellationToken))
        {
            while (items.Count == 0)
            {
                if (isEnd) return false;
                if (next != null)
                {
                    if (options.Save != null) options.Save(next);
                    cursor = next;
                    next = null;
                }
                var page = await client.SendAsync<Dictionary<string, object>>(request.Query("cursor", cursor), cancellationToken)
                    .ConfigureAwait(false);
                foreach (var item in (IList)page["items"]) items.Enqueue(item);
                var following = (string)page["nextCursor"];
                if (following != null && following != cursor) next = following;
                else if (!isLog || options.Follow == null) isEnd = true;
                else if (items.Count == 0) await Task.Delay(options.Follow.Value, cancellationToken).ConfigureAwait(false);
            }
            Current = Json.Read<T>(items.Dequeue());
            return true;
        }
    }

    /// <summary>One token for all callers; replaced a minute before it expires, or after nine tenths of a short life.</summary>
    internal sealed class Tokens
    {
        private readonly ClientOptions options;
        private readonly Transport transport;
        private readonly SemaphoreSlim gate = new SemaphoreSlim(1);
        private string token;
        private DateTime until;

        internal Tokens(ClientOptions options, Transport transport)
        {
            this.options = options;
            this.transport = transport;
        }

        internal async Task<string> CurrentAsync(CancellationToken cancellation)
        {
            await gate.WaitAsync(cancellation).ConfigureAwait(false);
            try
            {
                var started = DateTime.UtcNow;
                if (token != null && started < until) return token;
                var body = new Dictionary<string, object>
                {
                    { "grant_type", "client_credentials" },
                    { "client_id", options.ClientId },
                    { "client_secret", options.ClientSecret },
                };
                IDictionary<string, string> headers = new Dictionary<string, string> { { "Content-Type", "application/json" }, { "Accept", "application/json" } };
                var url = options.AuthUrl.TrimEnd('/') + "/v1/oauth/token";
                var content = Encoding.UTF8.GetBytes(Json.Write(body));
                var answer = await transport.SendPatientlyAsync(
                    true, "POST", url, () => Task.FromResult(headers), content, cancellation).ConfigureAwait(false);
                var members = Json.Members(answer.Text);
                object issued, life, error, description;
                members.TryGetValue("access_token", out issued);
                members.TryGetValue("expires_in", out life);
                if (answer.Status != 200 || !(issued is string) || !(life is decimal))
                {
                    members.TryGetValue("error", out error);
                    members.TryGetValue("error_description", out description);
                    throw new TokenException(answer.Status, error as string ?? "", description as string ?? "");
                }
                var seconds = (double)(decimal)life;
                until = started.AddSeconds(seconds - Math.Min(60, seconds / 10));
                return token = (string)issued;
            }
            finally
            {
                gate.Release();
            }
        }

        internal void Forget(string refused)
        {
            if (token == refused) token = null;
        }
    }
}
