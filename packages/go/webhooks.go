package crossdock

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/crossdock/webhook"
)

// ErrSignature says that a push is not genuine, or too old: answer it with 401.
var ErrSignature = errors.New("the push is not genuine")

// VerifyOptions of a push; the zero value has the defaults.
type VerifyOptions struct {
	// Tolerance is how much the time of the attempt may differ from the clock; 300 s by default.
	Tolerance time.Duration
	// Now is the clock by default.
	Now time.Time
}

// VerifyWebhook returns the event of a push, after its signature was verified (Standard Webhooks). The body is the bytes as
// they were received.
func VerifyWebhook(secret string, header http.Header, body []byte, options VerifyOptions) (*webhook.EventPush, error) {
	if options.Tolerance == 0 {
		options.Tolerance = 300 * time.Second
	}
	if options.Now.IsZero() {
		options.Now = time.Now()
	}
	sentAt := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	difference := options.Now.Sub(time.Unix(seconds, 0))
	if err != nil || difference > options.Tolerance || difference < -options.Tolerance {
		return nil, fmt.Errorf("%w: the time %s differs by more than %s from the clock", ErrSignature, sentAt, options.Tolerance)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return nil, fmt.Errorf("the secret is not base64: %w", err)
	}
	digest := hmac.New(sha256.New, key)
	fmt.Fprintf(digest, "%s.%s.", header.Get("webhook-id"), sentAt)
	digest.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(digest.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			event := &webhook.EventPush{}
			return event, json.Unmarshal(body, event)
		}
	}
	return nil, fmt.Errorf("%w: no signature fits the body and the secret", ErrSignature)
}
