using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Crossdock
{
    /// <summary>
    /// How requests are sent again. After a 429 every request is; after a lost answer or a failure of the server only reads, and
    /// writes with an Idempotency-Key.
    /// </summary>
    public sealed class Retry
    {
        /// <summary>With the first attempt; 3 by default, and 5 for feeds.</summary>
        public int AttemptsMax { get; set; } = 3;

        /// <summary>An answer that requests a longer wait is returned at once.</summary>
        public TimeSpan WaitMax { get; set; } = TimeSpan.FromSeconds(10);

        /// <summary>Before the second attempt where the answer says none, doubled each time.</summary>
        public TimeSpan Backoff { get; set; } = TimeSpan.FromSeconds(1);
    }

    internal sealed class Answer
    {
        private readonly HttpResponseHeaders headers;

        internal Answer(int status, HttpResponseHeaders headers, byte[] body)
        {
            Status = status;
            Body = body;
            this.headers = headers;
        }

        internal int Status { get; }

        internal byte[] Body { get; }

        internal string Text { get { return Encoding.UTF8.GetString(Body); } }

        /// <summary>Null where there is none.</summary>
        internal string Header(string name)
        {
            IEnumerable<string> values;
            return headers.TryGetValues(name, out values) ? values.First() : null;
        }
    }

    /// <summary>Sends requests, each attempt with a time-out.</summary>
    internal sealed class Transport
    {
        private static readonly int[] Passing = { 408, 500, 502, 503, 504 };
        private readonly HttpClient client;
        private readonly Retry retry;

        internal Transport(TimeSpan timeout, Retry retry)
        {
            // A redirect is not followed: it could carry the token to another host.
            client = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false }) { Timeout = timeout };
            client.DefaultRequestHeaders.ExpectContinue = false;
            this.retry = retry;
        }

        /// <exception cref="HttpRequestException">No answer arrived.</exception>
        private async Task<Answer> SendOnceAsync(
            string method, string url, IDictionary<string, string> headers, byte[] body, CancellationToken cancellation)
        {
            using (var request = new HttpRequestMessage(new HttpMethod(method), url))
            {
                foreach (var header in headers.Where(header => header.Key != "Content-Type"))
                {
                    request.Headers.TryAddWithoutValidation(header.Key, header.Value);
                }
                if (body != null)
                {
                    request.Content = new ByteArrayContent(body);
                    request.Content.Headers.TryAddWithoutValidation("Content-Type", headers["Content-Type"]);
                }
                try
                {
                    using (var response = await client.SendAsync(request, cancellation).ConfigureAwait(false))
                    {
                        var content = response.Content == null
                            ? new byte[0]
                            : await response.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
                        return new Answer((int)response.StatusCode, response.Headers, content);
                    }
                }
                catch (OperationCanceledException error) when (!cancellation.IsCancellationRequested)
                {
                    throw new HttpRequestException("no answer within the time-out", error);
                }
            }
        }

        /// <param name="makeHeaders">Makes those of each attempt; what it throws is no lost answer.</param>
        internal async Task<Answer> SendPatientlyAsync(
            bool isRepeatable,
            string method,
            string url,
            Func<Task<IDictionary<string, string>>> makeHeaders,
            byte[] body,
            CancellationToken cancellation)
        {
            for (var number = 1; ; number++)
            {
                var isLast = number >= retry.AttemptsMax;
                TimeSpan? wait = null;
                if (isRepeatable) wait = TimeSpan.FromTicks(retry.Backoff.Ticks << (number - 1));
                var headers = await makeHeaders().ConfigureAwait(false);
                try
                {
                    var answer = await SendOnceAsync(method, url, headers, body, cancellation).ConfigureAwait(false);
                    var requested = WaitOf(answer.Header("Retry-After"));
                    var inProgress = answer.Status == 409 && requested != null;
                    var isRetried = answer.Status == 429 || (isRepeatable && (Passing.Contains(answer.Status) || inProgress));
                    wait = requested ?? wait;
                    if (isLast || !isRetried || wait == null || wait > retry.WaitMax) return answer;
                }
                catch (HttpRequestException)
                {
                    // Whether the request arrived is unknown.
                    if (isLast || wait == null) throw;
                }
                await Task.Delay(wait > retry.WaitMax ? retry.WaitMax : wait.Value, cancellation).ConfigureAwait(false);
            }
        }

        /// <summary>Seconds, as the services say, or a date, as proxies may; null where there is neither.</summary>
        private static TimeSpan? WaitOf(string header)
        {
            int seconds;
            DateTimeOffset at;
            if (int.TryParse(header, NumberStyles.None, CultureInfo.InvariantCulture, out seconds))
            {
                return TimeSpan.FromSeconds(seconds);
            }
            if (!DateTimeOffset.TryParseExact(header, "r", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out at))
            {
                return null;
            }
            var wait = at - DateTimeOffset.UtcNow;
            return wait > TimeSpan.Zero ? wait : TimeSpan.Zero;
        }
    }
}
