package crossdock

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/crossdock/feeds"
	"example.com/crossdock/rest"
)

// FeedOptions of a client of the XML feeds.
type FeedOptions struct {
	// BaseURL of the feeds, such as https://feeds.example.com.
	BaseURL  string
	ClientID string
	// APIKey is the client's key for feeds.
	APIKey string
	// Timeout of each attempt; 35 s by default.
	Timeout time.Duration
	Retry   Retry
	// HTTPClient replaces the default one, with its time-out.
	HTTPClient *http.Client
}

// FeedClient sends feeds over HTTP.
type FeedClient struct {
	options FeedOptions
	base    string
}

// Fault is an error of an acknowledgement: [UNKNOWN_SKU] The request …
type Fault struct {
	// Code is what programs react to: UNKNOWN_SKU.
	Code    string
	Message string
	// Line is that of the document as it was sent; 0 where the message names none.
	Line int
}

// Acknowledgement is the answer to a document.
type Acknowledgement struct {
	// Token is the correlation token of the document.
	Token string
	// Success says whether the document was accepted.
	Success     bool
	FeedType    string
	Errors      []Fault
	MissingSKUs []string
	// ObjectID is empty where the document has none.
	ObjectID string
}

// FeedError says that a feed was refused before its document was validated: the key, the address or the size is wrong.
type FeedError struct {
	Status int
	Answer string
}

func (e *FeedError) Error() string {
	return fmt.Sprintf("the feed was refused with %d: %.500s", e.Status, e.Answer)
}

// NewFeedClient makes a client of the feeds; it sends nothing yet.
func NewFeedClient(options FeedOptions) *FeedClient {
	if options.Timeout == 0 {
		options.Timeout = 35 * time.Second
	}
	if options.HTTPClient == nil {
		options.HTTPClient = rest.HTTPClient(options.Timeout)
	}
	options.Retry = options.Retry.WithDefaults(5)
	base := strings.TrimRight(options.BaseURL, "/") + "/feeds/" + url.PathEscape(options.ClientID)
	return &FeedClient{options: options, base: base}
}

// Send sends a document, and waits for its acknowledgement: Success says whether it was accepted. With a key the document counts
// once, however often it is sent; without one ("") it is not sent again after a lost answer. A *FeedError says that the request
// was refused before the document was validated.
func (c *FeedClient) Send(ctx context.Context, document feeds.Document, key string) (*Acknowledgement, error) {
	return c.post(ctx, document, "", key, key != "")
}

// Validate returns the acknowledgement that the document would get; it stores nothing.
func (c *FeedClient) Validate(ctx context.Context, document feeds.Document) (*Acknowledgement, error) {
	return c.post(ctx, document, "/validate", "", true)
}

func (c *FeedClient) post(ctx context.Context, document feeds.Document, suffix, key string, isRepeatable bool) (*Acknowledgement, error) {
	content, err := xml.Marshal(document)
	if err != nil {
		return nil, err
	}
	header := http.Header{"X-Api-Key": {c.options.APIKey}, "Content-Type": {"application/xml"}}
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	target := c.base + "/" + document.Feed() + suffix
	body := append([]byte(xml.Header), content...)
	answer, err := rest.SendPatiently(ctx, c.options.Retry, isRepeatable, rest.Same(header), func(header http.Header) (*rest.Answer, error) {
		return rest.SendOnce(ctx, c.options.HTTPClient, "POST", target, header, body)
	})
	if err != nil {
		return nil, err
	}
	if answer.Status == 200 || answer.Status == 422 {
		// Another document is the answer of a proxy.
		if acknowledgement, err := ReadAcknowledgement(answer.Body); err == nil {
			return acknowledgement, nil
		}
	}
	return nil, &FeedError{Status: answer.Status, Answer: string(answer.Body)}
}

var code = regexp.MustCompile(`(?s)^\[(\w+)\] (.*)$`)
var line = regexp.MustCompile(`\bLine (\d+)`)

// ReadAcknowledgement reads an acknowledgement, such as one from SFTP.
func ReadAcknowledgement(text []byte) (*Acknowledgement, error) {
	response := struct {
		XMLName     xml.Name `xml:"apiResponse"`
		Token       string   `xml:"token"`
		Success     string   `xml:"success"`
		FeedType    string   `xml:"feedType"`
		Errors      []string `xml:"errors>error"`
		MissingSKUs []string `xml:"missingSkus>sku"`
		ObjectID    string   `xml:"objectId"`
	}{}
	if err := xml.Unmarshal(text, &response); err != nil {
		return nil, fmt.Errorf("not an acknowledgement: %w", err)
	}
	faults := []Fault{}
	for _, text := range response.Errors {
		fault := Fault{Message: text}
		if found := code.FindStringSubmatch(text); found != nil {
			fault.Code, fault.Message = found[1], found[2]
		}
		if found := line.FindStringSubmatch(fault.Message); found != nil {
			fault.Line, _ = strconv.Atoi(found[1])
		}
		faults = append(faults, fault)
	}
	return &Acknowledgement{
		Token:       response.Token,
		Success:     response.Success == "true",
		FeedType:    response.FeedType,
		Errors:      faults,
		MissingSKUs: append([]string{}, response.MissingSKUs...),
		ObjectID:    response.ObjectID,
	}, nil
}
