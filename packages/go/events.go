package crossdock

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"example.com/crossdock/rest"
	"example.com/crossdock/webhook"
)

// ReadData reads the data of an event as a record of the package events, such as events.OrderData for order:*.
func ReadData[T any](data map[string]any) (*T, error) {
	content, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	record := new(T)
	return record, json.Unmarshal(content, record)
}

// EventOptions selects events of the log; the zero value reads all from the oldest one.
type EventOptions struct {
	// Cursor is where the last run ended.
	Cursor string
	// Save gets the cursor when every event before it was handled. Store it: a program that ends continues there, and sees at
	// most the events of one page again.
	Save func(cursor string) error
	// Follow waits for further events at the end of the log, looking again after this time; without it the log ends there.
	Follow       time.Duration
	TopicName    string
	FacilityCode string
	ObjectType   string
	ObjectID     string
	Since        time.Time
}

// EventLog has the events of the client in the order of the log.
type EventLog struct {
	ctx     context.Context
	client  *Client
	options EventOptions
	query   url.Values
	items   []webhook.Event
	item    webhook.Event
	next    string
	err     error
}

// Events reads the event log, a page at a time.
func (c *Client) Events(ctx context.Context, options EventOptions) *EventLog {
	query := url.Values{}
	filters := map[string]string{
		"topicName": options.TopicName, "facilityCode": options.FacilityCode,
		"objectType": options.ObjectType, "objectId": options.ObjectID, "cursor": options.Cursor,
	}
	for name, value := range filters {
		if value != "" {
			query.Set(name, value)
		}
	}
	if !options.Since.IsZero() {
		rest.Add(query, "since", &options.Since)
	}
	return &EventLog{ctx: ctx, client: c, options: options, query: query}
}

// Next says whether there is another event. The event before it counts as handled.
func (l *EventLog) Next() bool {
	for len(l.items) == 0 && l.err == nil {
		if l.next != "" {
			if l.err = l.save(); l.err != nil {
				return false
			}
		}
		var page rest.Page[webhook.Event]
		request := rest.Request{Method: "GET", Path: "/v1/webhookService/event/list", Query: l.query}
		if page, l.err = rest.Call[rest.Page[webhook.Event]](l.ctx, l.client.Client, request); l.err != nil {
			return false
		}
		l.items = page.Items
		if page.NextCursor != nil && *page.NextCursor != l.query.Get("cursor") {
			l.next = *page.NextCursor
		} else if len(l.items) == 0 {
			if l.options.Follow == 0 {
				return false
			}
			l.err = rest.Sleep(l.ctx, l.options.Follow)
		}
	}
	if l.err != nil {
		return false
	}
	l.item, l.items = l.items[0], l.items[1:]
	return true
}

func (l *EventLog) save() error {
	cursor := l.next
	if l.options.Save != nil {
		if err := l.options.Save(cursor); err != nil {
			return err
		}
	}
	l.query.Set("cursor", cursor)
	l.next = ""
	return nil
}

// Item is the event that Next found.
func (l *EventLog) Item() webhook.Event { return l.item }

// Err is the error that ended the log, if one did.
func (l *EventLog) Err() error { return l.err }
