using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;
using Crossdock;
using Crossdock.Events;
using Crossdock.Feeds;
using Crossdock.Orders;

using Values = System.Collections.Generic.Dictionary<string, object>;

/// <summary>Runs the cases of tests/languages/cases.json with the C# client: a line of steps in, a line for each report out.</summary>
public static class Conformance
{
    private static readonly TimeSpan Backoff = TimeSpan.FromMilliseconds(10);
    private static readonly TextWriter Out =
        new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };

    private static void Report(Values values) { Out.WriteLine(Json.Write(values)); }

    private static Values FailureOf(Exception error)
    {
        var problem = error as ProblemException;
        if (problem != null)
        {
            return new Values { { "error", "problem" }, { "status", problem.Status }, { "code", problem.Code }, { "errors", problem.Errors } };
        }
        var token = error as TokenException;
        if (token != null) return new Values { { "error", "token" }, { "status", token.Status }, { "code", token.Error } };
        var feed = error as FeedException;
        if (feed != null) return new Values { { "error", "feed" }, { "status", feed.Status } };
        if (error is SignatureException) return new Values { { "error", "signature" } };
        if (error is HttpRequestException) return new Values { { "error", "lost" } };
        throw new InvalidOperationException("another error", error);
    }

    private static T ValueOf<T>(Values step, string name)
    {
        object value;
        return step.TryGetValue(name, out value) ? (T)value : default(T);
    }

    private static async Task Run(Values step, CrossdockClient client, string url, string cursorFile)
    {
        switch ((string)step["do"])
        {
            case "getOrder":
            {
                var order = await client.Orders.GetOrderAsync((string)step["orderId"]);
                Report(new Values
                {
                    { "orderId", order.OrderId }, { "status", order.Status }, { "qty", order.Lines[0].Qty }, { "receivedAt", order.ReceivedAt },
                });
                break;
            }
            case "listOrders":
            {
                var seen = new List<string>();
                var values = new Values();
                var list = client.Orders.ListOrders(status: (string)step["status"], limit: (long)(decimal)step["limit"]);
                try
                {
                    while (await list.NextAsync()) seen.Add(list.Current.OrderId);
                }
                catch (ProblemException error)
                {
                    values = FailureOf(error);
                }
                values["items"] = seen;
                Report(values);
                break;
            }
            case "createOrder":
            {
                var created = await client.Orders.CreateOrderAsync(Json.Read<OrderCreate>(step["body"]));
                Report(new Values { { "orderId", created.OrderId } });
                break;
            }
            case "post":
            {
                var answer = await client.SendAsync<object>(new Request("POST", (string)step["path"]) { Body = step["body"] });
                Report(new Values { { "body", answer } });
                break;
            }
            case "feed":
            {
                var feeds = new FeedClient(url, "DEMO", "cd_key", retry: new Retry { AttemptsMax = 5, Backoff = Backoff });
                var ack = await feeds.SendAsync(Json.Read<NODocument>(step["document"]), ValueOf<string>(step, "key"));
                var faults = ack.Errors.Select(fault =>
                {
                    var parts = new Values { { "code", fault.Code }, { "message", fault.Message } };
                    if (fault.Line != null) parts["line"] = fault.Line;
                    return parts;
                });
                Report(new Values
                {
                    { "token", ack.Token }, { "success", ack.Success }, { "feedType", ack.FeedType }, { "errors", faults.ToList() },
                    { "missingSkus", ack.MissingSkus }, { "objectId", ack.ObjectId },
                });
                break;
            }
            case "verify":
            {
                var headers = (Values)step["headers"];
                var body = Encoding.UTF8.GetBytes((string)step["body"]);
                var now = DateTimeOffset.FromUnixTimeSeconds((long)(decimal)step["now"]);
                var push = WebhookVerifier.Verify((string)step["secret"], name => ValueOf<string>(headers, name), body, now: now);
                var data = Json.Read<OrderData>(push.Data);
                Report(new Values { { "type", push.Type }, { "objectId", push.ObjectId }, { "status", data.Status } });
                break;
            }
            case "events":
            {
                var killedAfter = ValueOf<decimal>(step, "killedAfter");
                var handled = 0;
                var events = client.Events(new EventOptions
                {
                    Cursor = File.Exists(cursorFile) ? File.ReadAllText(cursorFile) : null,
                    TopicName = ValueOf<string>(step, "topicName"),
                    Save = cursor =>
                    {
                        File.WriteAllText(cursorFile, cursor);
                        Report(new Values { { "saved", cursor } });
                    },
                });
                while (await events.NextAsync())
                {
                    Report(new Values { { "id", events.Current.Id } });
                    handled++;
                    if (handled == killedAfter) Process.GetCurrentProcess().Kill();
                }
                Report(new Values { { "end", true } });
                break;
            }
            default:
                throw new ArgumentException("unknown step " + step["do"]);
        }
    }

    private static async Task RunAll(Values work)
    {
        var url = (string)work["url"];
        var options = new ClientOptions(url, "id", "secret") { AuthUrl = url + "/auth", Retry = new Retry { Backoff = Backoff } };
        var client = new CrossdockClient(options);
        foreach (Values step in (List<object>)work["steps"])
        {
            try
            {
                await Run(step, client, url, (string)work["cursorFile"]);
            }
            catch (Exception error)
            {
                Report(FailureOf(error));
            }
        }
        Report(new Values { { "done", true } });
    }

    public static void Main()
    {
        var lines = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        for (var line = lines.ReadLine(); line != null; line = lines.ReadLine())
        {
            RunAll((Values)Json.Parse(line)).GetAwaiter().GetResult();
        }
    }
}
