// Runs the cases of tests/languages/cases.json with the Go client: a line of steps in, a line for each report out.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"syscall"
	"time"

	"example.com/crossdock"
	"example.com/crossdock/events"
	"example.com/crossdock/feeds"
	"example.com/crossdock/order"
	"example.com/crossdock/rest"
)

type step struct {
	Do          string
	OrderID     string
	Status      string
	Limit       int64
	Path        string
	Body        json.RawMessage
	Key         string
	Document    json.RawMessage
	Secret      string
	Headers     map[string]string
	Now         int64
	TopicName   string
	KilledAfter int
}

type object = map[string]any

var retry = crossdock.Retry{Backoff: 10 * time.Millisecond}

func report(values object) {
	line, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

func failureOf(err error) object {
	var problem *crossdock.ProblemError
	var token *crossdock.TokenError
	var feed *crossdock.FeedError
	switch {
	case errors.As(err, &problem):
		return object{"error": "problem", "status": problem.Status, "code": problem.Code(), "errors": problem.Errors}
	case errors.As(err, &token):
		return object{"error": "token", "status": token.Status, "code": token.Code}
	case errors.As(err, &feed):
		return object{"error": "feed", "status": feed.Status}
	case errors.Is(err, crossdock.ErrSignature):
		return object{"error": "signature"}
	default:
		return object{"error": "lost"}
	}
}

func run(ctx context.Context, it step, client *crossdock.Client, url, cursorFile string) error {
	switch it.Do {
	case "getOrder":
		found, err := client.Orders.GetOrder(ctx, it.OrderID, nil)
		if err != nil {
			return err
		}
		receivedAt := found.ReceivedAt.Format("2006-01-02T15:04:05.000Z07:00")
		report(object{"orderId": found.OrderID, "status": found.Status, "qty": found.Lines[0].Qty, "receivedAt": receivedAt})
	case "listOrders":
		seen := []string{}
		list := client.Orders.ListOrders(ctx, &order.ListOrdersParams{Status: &it.Status, Limit: &it.Limit})
		for list.Next() {
			seen = append(seen, list.Item().OrderID)
		}
		values := object{}
		if err := list.Err(); err != nil {
			values = failureOf(err)
		}
		values["items"] = seen
		report(values)
	case "createOrder":
		body := &order.OrderCreate{}
		if err := json.Unmarshal(it.Body, body); err != nil {
			panic(err)
		}
		created, err := client.Orders.CreateOrder(ctx, body, nil)
		if err != nil {
			return err
		}
		report(object{"orderId": created.OrderID})
	case "post":
		answer, err := rest.Call[any](ctx, client.Client, rest.Request{Method: "POST", Path: it.Path, Body: it.Body})
		if err != nil {
			return err
		}
		report(object{"body": answer})
	case "feed":
		sender := crossdock.NewFeedClient(crossdock.FeedOptions{BaseURL: url, ClientID: "DEMO", APIKey: "cd_key", Retry: retry})
		document := &feeds.NODocument{}
		if err := json.Unmarshal(it.Document, document); err != nil {
			panic(err)
		}
		ack, err := sender.Send(ctx, document, it.Key)
		if err != nil {
			return err
		}
		faults := []object{}
		for _, fault := range ack.Errors {
			values := object{"code": fault.Code, "message": fault.Message}
			if fault.Line > 0 {
				values["line"] = fault.Line
			}
			faults = append(faults, values)
		}
		values := object{
			"token": ack.Token, "success": ack.Success, "feedType": ack.FeedType, "errors": faults,
			"missingSkus": ack.MissingSKUs, "objectId": nil,
		}
		if ack.ObjectID != "" {
			values["objectId"] = ack.ObjectID
		}
		report(values)
	case "verify":
		header := http.Header{}
		for name, value := range it.Headers {
			header.Set(name, value)
		}
		body := ""
		if err := json.Unmarshal(it.Body, &body); err != nil {
			panic(err)
		}
		options := crossdock.VerifyOptions{Now: time.Unix(it.Now, 0)}
		event, err := crossdock.VerifyWebhook(it.Secret, header, []byte(body), options)
		if err != nil {
			return err
		}
		data, err := crossdock.ReadData[events.OrderData](event.Data)
		if err != nil {
			return err
		}
		report(object{"type": event.Type, "objectId": event.ObjectID, "status": data.Status})
	case "events":
		cursor, err := os.ReadFile(cursorFile)
		if err != nil && !os.IsNotExist(err) {
			panic(err)
		}
		save := func(cursor string) error {
			report(object{"saved": cursor})
			return os.WriteFile(cursorFile, []byte(cursor), 0o600)
		}
		log := client.Events(ctx, crossdock.EventOptions{Cursor: string(cursor), Save: save, TopicName: it.TopicName})
		for number := 1; log.Next(); number++ {
			report(object{"id": log.Item().ID})
			if number == it.KilledAfter {
				if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
					panic(err)
				}
			}
		}
		if err := log.Err(); err != nil {
			return err
		}
		report(object{"end": true})
	default:
		panic("unknown step " + it.Do)
	}
	return nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		work := struct {
			URL, CursorFile string
			Steps           []step
		}{}
		if err := json.Unmarshal(lines.Bytes(), &work); err != nil {
			panic(err)
		}
		client := crossdock.NewClient(crossdock.Options{
			BaseURL: work.URL, AuthURL: work.URL + "/auth", ClientID: "id", ClientSecret: "secret", Retry: retry,
		})
		for _, it := range work.Steps {
			if err := run(context.Background(), it, client, work.URL, work.CursorFile); err != nil {
				report(failureOf(err))
			}
		}
		report(object{"done": true})
	}
}
