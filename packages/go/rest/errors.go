package rest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// TokenError says that the token endpoint refused the request (RFC 6749 §5.2), or that its answer has no token.
type TokenError struct {
	Status int
	// Code is invalid_client or another one of RFC 6749; empty if the answer is not from the endpoint.
	Code        string
	Description string
}

func (e *TokenError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("no token: %d %s %s", e.Status, e.Code, e.Description))
}

// Fault is a fault of a refused request.
type Fault struct {
	Pointer string `json:"pointer"`
	Message string `json:"message"`
	// Code and Remedy are those of a refused document.
	Code   string `json:"code,omitempty"`
	Remedy string `json:"remedy,omitempty"`
}

// ProblemError has the problem details of a refused request (RFC 9457).
type ProblemError struct {
	Type             string   `json:"type"`
	Title            string   `json:"title"`
	Status           int      `json:"-"`
	Detail           string   `json:"detail"`
	CorrelationToken string   `json:"correlationToken"`
	Errors           []Fault  `json:"errors"`
	MissingSKUs      []string `json:"missingSkus"`
}

func (e *ProblemError) Error() string {
	return fmt.Sprintf("%d %s: %s (correlation token %s)", e.Status, e.Title, e.Detail, e.CorrelationToken)
}

// Code is the last part of Type: conflict in /problems/conflict.
func (e *ProblemError) Code() string {
	return e.Type[strings.LastIndex(e.Type, "/")+1:]
}

const quotedMax = 500

func problemOf(answer *Answer) *ProblemError {
	problem := &ProblemError{}
	if json.Unmarshal(answer.Body, problem) != nil || problem.Type == "" {
		// A proxy refuses without problem details.
		quoted := answer.Body
		if len(quoted) > quotedMax {
			quoted = quoted[:quotedMax]
		}
		problem = &ProblemError{Type: "about:blank", Detail: string(quoted)}
	}
	if problem.CorrelationToken == "" {
		problem.CorrelationToken = answer.Header.Get("X-Correlation-Token")
	}
	if problem.Errors == nil {
		problem.Errors = []Fault{}
	}
	problem.Status = answer.Status
	return problem
}
