package rest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Retry says how requests are sent again. After a 429 every request is; after a lost answer or a failure of the server only
// reads, and writes with an Idempotency-Key. The zero value has the defaults.
type Retry struct {
	// AttemptsMax counts the first attempt; 3 by default, and 5 for feeds.
	AttemptsMax int
	// WaitMax is 10 s by default; an answer that requests a longer wait is returned at once.
	WaitMax time.Duration
	// Backoff is the wait before the second attempt where the answer says none, doubled each time; 1 s by default.
	Backoff time.Duration
}

// WithDefaults fills what is zero.
func (r Retry) WithDefaults(attemptsMax int) Retry {
	if r.AttemptsMax == 0 {
		r.AttemptsMax = attemptsMax
	}
	if r.WaitMax == 0 {
		r.WaitMax = 10 * time.Second
	}
	if r.Backoff == 0 {
		r.Backoff = time.Second
	}
	return r
}

// Answer is an answer that was read to its end.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// SendOnce sends a request and reads its answer. A redirect is not followed: it could carry the token to another host.
func SendOnce(ctx context.Context, client *http.Client, method, url string, header http.Header, body []byte) (*Answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = header.Clone()
	// The transport would send a request again that has this header, beside the attempts of Retry.
	request.GetBody = nil
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	return &Answer{Status: response.StatusCode, Header: response.Header, Body: content}, nil
}

// HTTPClient is the default: the time-out is that of each attempt.
func HTTPClient(timeout time.Duration) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{
		Timeout:       timeout,
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// SendPatiently makes attempts until an answer is to be returned. The header is made for each attempt; an error of it ends all,
// because it is no lost answer.
func SendPatiently(
	ctx context.Context, retry Retry, isRepeatable bool,
	makeHeader func() (http.Header, error), attempt func(http.Header) (*Answer, error),
) (*Answer, error) {
	for number := 1; ; number++ {
		isLast := number >= retry.AttemptsMax
		wait := time.Duration(-1)
		if isRepeatable {
			wait = retry.Backoff << (number - 1)
		}
		header, err := makeHeader()
		if err != nil {
			return nil, err
		}
		answer, err := attempt(header)
		if err != nil {
			// Whether the request arrived is unknown.
			if isLast || wait < 0 || ctx.Err() != nil {
				return nil, err
			}
		} else {
			requested := waitOf(answer.Header.Get("Retry-After"))
			isRetried := answer.Status == 429 || isRepeatable && (isPassing(answer.Status) || answer.Status == 409 && requested >= 0)
			if requested >= 0 {
				wait = requested
			}
			if isLast || !isRetried || wait < 0 || wait > retry.WaitMax {
				return answer, nil
			}
		}
		if wait > retry.WaitMax {
			wait = retry.WaitMax
		}
		if err := Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// Same makes the same header for each attempt.
func Same(header http.Header) func() (http.Header, error) {
	return func() (http.Header, error) { return header, nil }
}

func isPassing(status int) bool {
	return status == 408 || status == 500 || status == 502 || status == 503 || status == 504
}

// Sleep waits, or returns the error of the context.
func Sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// waitOf reads seconds, as the services say, or a date, as proxies may; -1 where there is neither.
func waitOf(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return -1
	}
	if wait := time.Until(at); wait > 0 {
		return wait
	}
	return 0
}
