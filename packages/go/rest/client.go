// Package rest sends the requests of the services: token, time-outs, retries, pages and problems.
package rest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Client sends requests with a token, which all services share.
type Client struct {
	BaseURL      string
	TokenURL     string
	ClientID     string
	ClientSecret string
	HTTPClient   *http.Client
	Retry        Retry

	mutex      sync.Mutex
	token      string
	tokenUntil time.Time
	fullUntil  time.Time
}

// Request is a request of a service.
type Request struct {
	Method string
	// Path begins with a slash; what it contains is escaped.
	Path           string
	Query          url.Values
	Body           any
	IdempotencyKey string
	IfMatch        string
}

var lookUp = regexp.MustCompile(`/find[A-Z][A-Za-z]*$`)
var emptyQuota = regexp.MustCompile(`;r=0;t=[1-9]`)

// Send returns the answer of a service, or a *ProblemError.
func (c *Client) Send(ctx context.Context, request Request) (*Answer, error) {
	if !strings.HasPrefix(request.Path, "/") {
		// Any other path could name another host, which would receive the token.
		return nil, fmt.Errorf("the path does not begin with a slash: %s", request.Path)
	}
	target := c.BaseURL + request.Path
	if len(request.Query) > 0 {
		target += "?" + request.Query.Encode()
	}
	header := http.Header{"Accept": {"application/json, */*;q=0.5"}}
	var body []byte
	if request.Body != nil {
		content, err := json.Marshal(request.Body)
		if err != nil {
			return nil, err
		}
		body = content
		header.Set("Content-Type", "application/json")
	}
	if request.IdempotencyKey != "" {
		header.Set("Idempotency-Key", request.IdempotencyKey)
	}
	if request.IfMatch != "" {
		header.Set("If-Match", request.IfMatch)
	}
	isRead := request.Method == "GET" || request.Method == "POST" && lookUp.MatchString(request.Path)
	token := ""
	send := func() (*Answer, error) {
		withToken := func() (http.Header, error) {
			// Fetched for each attempt, because it may expire during a wait.
			current, err := c.currentToken(ctx)
			token = current
			header.Set("Authorization", "Bearer "+token)
			return header, err
		}
		attempt := func(header http.Header) (*Answer, error) {
			return SendOnce(ctx, c.HTTPClient, request.Method, target, header, body)
		}
		return SendPatiently(ctx, c.Retry, isRead || request.IdempotencyKey != "", withToken, attempt)
	}
	if err := c.pause(ctx); err != nil {
		return nil, err
	}
	answer, err := send()
	if err == nil && answer.Status == 401 && strings.Contains(answer.Header.Get("WWW-Authenticate"), `error="invalid_token"`) {
		c.forget(token)
		answer, err = send()
	}
	if err != nil {
		return nil, err
	}
	c.note(answer.Header)
	if answer.Status < 200 || answer.Status > 299 {
		return nil, problemOf(answer)
	}
	return answer, nil
}

// pause waits when the last answer left no request of the quota: it fills steadily.
func (c *Client) pause(ctx context.Context) error {
	c.mutex.Lock()
	wait := time.Until(c.fullUntil)
	c.mutex.Unlock()
	if wait <= 0 {
		return nil
	}
	return Sleep(ctx, wait)
}

func (c *Client) note(header http.Header) {
	if emptyQuota.MatchString(header.Get("RateLimit")) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.fullUntil = time.Now().Add(time.Second)
	}
}

// currentToken is the same for all; it is replaced a minute before it expires, or after nine tenths of a short life.
func (c *Client) currentToken(ctx context.Context) (string, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	started := time.Now()
	if started.Before(c.tokenUntil) {
		return c.token, nil
	}
	body, err := json.Marshal(map[string]string{
		"grant_type": "client_credentials", "client_id": c.ClientID, "client_secret": c.ClientSecret,
	})
	if err != nil {
		return "", err
	}
	header := Same(http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}})
	answer, err := SendPatiently(ctx, c.Retry, true, header, func(header http.Header) (*Answer, error) {
		return SendOnce(ctx, c.HTTPClient, "POST", c.TokenURL, header, body)
	})
	if err != nil {
		return "", err
	}
	content := struct {
		Token       string   `json:"access_token"`
		Seconds     *float64 `json:"expires_in"`
		Error       string   `json:"error"`
		Description string   `json:"error_description"`
	}{}
	err = json.Unmarshal(answer.Body, &content)
	if err != nil || answer.Status != 200 || content.Token == "" || content.Seconds == nil {
		return "", &TokenError{Status: answer.Status, Code: content.Error, Description: content.Description}
	}
	life := time.Duration(*content.Seconds * float64(time.Second))
	early := life / 10
	if early > time.Minute {
		early = time.Minute
	}
	c.token, c.tokenUntil = content.Token, started.Add(life-early)
	return c.token, nil
}

func (c *Client) forget(refused string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.token == refused {
		c.tokenUntil = time.Time{}
	}
}

// Call returns the record of an answer.
func Call[T any](ctx context.Context, c *Client, request Request) (T, error) {
	var record T
	answer, err := c.Send(ctx, request)
	if err == nil && len(bytes.TrimSpace(answer.Body)) > 0 {
		err = json.Unmarshal(answer.Body, &record)
	}
	return record, err
}

// Page is the answer of every list.
type Page[T any] struct {
	Items []T `json:"items"`
	// NextCursor is nil at the end of a list; a change feed always has one.
	NextCursor *string `json:"nextCursor"`
}

// List has the records of a list over all its pages, which are requested on demand:
//
//	for list.Next() {
//		use(list.Item())
//	}
//	err := list.Err()
type List[T any] struct {
	ctx     context.Context
	client  *Client
	request Request
	items   []T
	item    T
	isEnd   bool
	err     error
}

// NewList has the records of a path; a change feed ends when NextCursor is the cursor that was sent.
func NewList[T any](ctx context.Context, c *Client, path string, query url.Values) *List[T] {
	copied := url.Values{}
	for name, values := range query {
		copied[name] = values
	}
	return &List[T]{ctx: ctx, client: c, request: Request{Method: "GET", Path: path, Query: copied}}
}

// Next says whether there is another record.
func (l *List[T]) Next() bool {
	for len(l.items) == 0 {
		if l.isEnd || l.err != nil {
			return false
		}
		var page Page[T]
		page, l.err = Call[Page[T]](l.ctx, l.client, l.request)
		if l.err != nil {
			return false
		}
		l.items = page.Items
		l.isEnd = page.NextCursor == nil || *page.NextCursor == l.request.Query.Get("cursor")
		if !l.isEnd {
			l.request.Query.Set("cursor", *page.NextCursor)
		}
	}
	l.item, l.items = l.items[0], l.items[1:]
	return true
}

// Item is the record that Next found.
func (l *List[T]) Item() T { return l.item }

// Err is the error that ended the list, if one did.
func (l *List[T]) Err() error { return l.err }

// Add adds a parameter that is set.
func Add[T any](query url.Values, name string, value *T) {
	if value == nil {
		return
	}
	if at, isTime := any(*value).(time.Time); isTime {
		query.Set(name, at.UTC().Format(time.RFC3339Nano))
		return
	}
	query.Set(name, fmt.Sprint(*value))
}

// KeyOr is the key, or a new one: a write with a key can be sent again.
func KeyOr(key string) string {
	if key != "" {
		return key
	}
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		panic(err)
	}
	return fmt.Sprintf("%x", random)
}
