using System;
using System.Collections.Generic;

namespace Crossdock
{
    /// <summary>The token endpoint refused the request (RFC 6749 §5.2), or its answer has no token.</summary>
    public sealed class TokenException : Exception
    {
        internal TokenException(int status, string error, string description)
            : base(("no token: " + status + " " + error + " " + description).Trim())
        {
            Status = status;
            Error = error;
        }

        public int Status { get; }

        /// <summary>invalid_client or another one of RFC 6749; empty if the answer is not from the endpoint.</summary>
        public string Error { get; }
    }

    /// <summary>The push is not genuine, or too old: answer it with 401.</summary>
    public sealed class SignatureException : Exception
    {
        internal SignatureException(string message) : base(message) { }
    }

    /// <summary>A feed was refused before its document was validated: the key, the address or the size is wrong.</summary>
    public sealed class FeedException : Exception
    {
        internal FeedException(int status, string answer)
            : base("the feed was refused with " + status + ": " + answer.Substring(0, Math.Min(500, answer.Length)))
        {
            Status = status;
            Answer = answer;
        }

        public int Status { get; }

        public string Answer { get; }
    }

    /// <summary>A fault of a refused request; Code and Remedy are those of a refused document, else null.</summary>
    public sealed class Fault
    {
        [Name("pointer")] public string Pointer { get; set; }

        [Name("message")] public string Message { get; set; }

        [Name("code")] public string Code { get; set; }

        [Name("remedy")] public string Remedy { get; set; }
    }

    /// <summary>The problem details of a refused request (RFC 9457).</summary>
    public sealed class ProblemException : Exception
    {
        private const int QuotedMax = 500;

        private ProblemException(int status, IDictionary<string, object> members)
            : base(status + " " + TextOf(members, "title") + ": " + TextOf(members, "detail")
                + " (correlation token " + TextOf(members, "correlationToken") + ")")
        {
            Status = status;
            Members = members;
        }

        public int Status { get; }

        /// <summary>All members of the problem, as JSON.</summary>
        public IDictionary<string, object> Members { get; }

        /// <summary>The last part of the type: conflict in /problems/conflict.</summary>
        public string Code
        {
            get
            {
                var type = TextOf(Members, "type");
                return type.Substring(type.LastIndexOf('/') + 1);
            }
        }

        public string Detail { get { return TextOf(Members, "detail"); } }

        /// <summary>Identifies the request in the operator's log.</summary>
        public string CorrelationToken { get { return TextOf(Members, "correlationToken"); } }

        /// <summary>Every fault of the request.</summary>
        public IReadOnlyList<Fault> Errors
        {
            get
            {
                object errors;
                return Members.TryGetValue("errors", out errors) ? Json.Read<List<Fault>>(errors) : new List<Fault>();
            }
        }

        internal static ProblemException Of(Answer answer)
        {
            var members = Json.Members(answer.Text);
            if (!members.ContainsKey("type"))
            {
                // A proxy refuses without problem details.
                members = new Dictionary<string, object>
                {
                    { "type", "about:blank" },
                    { "detail", answer.Text.Substring(0, Math.Min(QuotedMax, answer.Text.Length)) },
                    { "correlationToken", answer.Header("X-Correlation-Token") ?? "" },
                };
            }
            return new ProblemException(answer.Status, members);
        }

        private static string TextOf(IDictionary<string, object> members, string name)
        {
            object value;
            return members.TryGetValue(name, out value) ? Convert.ToString(value) : "";
        }
    }
}
