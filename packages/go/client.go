// Package crossdock is the client of Crossdock: feeds, REST services, events and webhooks.
package crossdock

import (
	"net/http"
	"strings"
	"time"

	"example.com/crossdock/rest"
)

type (
	// ProblemError has the problem details of a refused request.
	ProblemError = rest.ProblemError
	// TokenError says why there is no token.
	TokenError = rest.TokenError
	// Retry says how requests are sent again.
	Retry = rest.Retry
)

// Options of a client.
type Options struct {
	// BaseURL of the services, such as https://api.example.com.
	BaseURL string
	// AuthURL of the token endpoint, if different.
	AuthURL      string
	ClientID     string
	ClientSecret string
	// Timeout of each attempt; 30 s by default.
	Timeout time.Duration
	Retry   Retry
	// HTTPClient replaces the default one, with its time-out.
	HTTPClient *http.Client
}

// Client has the REST services, which share a token. Methods return a *ProblemError when the service refuses the request, a
// *TokenError when there is no token, and the error of net/http when no answer arrives.
type Client struct {
	*rest.Client
	services
}

// NewClient makes a client; it sends nothing yet.
func NewClient(options Options) *Client {
	auth := options.AuthURL
	if auth == "" {
		auth = options.BaseURL
	}
	if options.Timeout == 0 {
		options.Timeout = 30 * time.Second
	}
	if options.HTTPClient == nil {
		options.HTTPClient = rest.HTTPClient(options.Timeout)
	}
	client := &rest.Client{
		BaseURL:      strings.TrimRight(options.BaseURL, "/"),
		TokenURL:     strings.TrimRight(auth, "/") + "/v1/oauth/token",
		ClientID:     options.ClientID,
		ClientSecret: options.ClientSecret,
		HTTPClient:   options.HTTPClient,
		Retry:        options.Retry.WithDefaults(3),
	}
	return &Client{Client: client, services: newServices(client)}
}

// Ptr is a pointer to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }
