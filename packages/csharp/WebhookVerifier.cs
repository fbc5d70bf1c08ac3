using System;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Crossdock.Webhooks;

namespace Crossdock
{
    /// <summary>Verifies pushes (Standard Webhooks).</summary>
    public static class WebhookVerifier
    {
        /// <summary>The event of a push, after its signature was verified.</summary>
        /// <param name="header">The value of a header by its name; null where there is none.</param>
        /// <param name="body">The bytes as they were received.</param>
        /// <exception cref="SignatureException">The push is not genuine, or too old.</exception>
        public static EventPush Verify(
            string secret, Func<string, string> header, byte[] body, TimeSpan? tolerance = null, DateTimeOffset? now = null)
        {
            var allowed = tolerance ?? TimeSpan.FromSeconds(300);
            var sentAt = header("webhook-timestamp") ?? "";
            long seconds;
            var isTime = long.TryParse(sentAt, NumberStyles.None, CultureInfo.InvariantCulture, out seconds) && seconds < 1L << 36;
            if (!isTime || ((now ?? DateTimeOffset.UtcNow) - DateTimeOffset.FromUnixTimeSeconds(seconds)).Duration() > allowed)
            {
                throw new SignatureException("the time " + sentAt + " differs by more than " + allowed + " from the clock");
            }
            var key = Convert.FromBase64String(secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret.Substring(6) : secret);
            var prefix = Encoding.UTF8.GetBytes(header("webhook-id") + "." + sentAt + ".");
            var signed = new byte[prefix.Length + body.Length];
            prefix.CopyTo(signed, 0);
            body.CopyTo(signed, prefix.Length);
            using (var hmac = new HMACSHA256(key))
            {
                var expected = "v1," + Convert.ToBase64String(hmac.ComputeHash(signed));
                foreach (var signature in (header("webhook-signature") ?? "").Split(' '))
                {
                    if (IsSame(signature, expected)) return Json.Read<EventPush>(Json.Parse(Encoding.UTF8.GetString(body)));
                }
            }
            throw new SignatureException("no signature fits the body and the secret");
        }

        /// <summary>In constant time.</summary>
        private static bool IsSame(string left, string right)
        {
            if (left.Length != right.Length) return false;
            var difference = 0;
            for (var i = 0; i < left.Length; i++) difference |= left[i] ^ right[i];
            return difference == 0;
        }
    }
}
