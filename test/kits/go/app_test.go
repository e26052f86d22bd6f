package app

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"testing"
)

// control calls the control API of the sandbox that `hub-sandbox exec` has started.
func control(t *testing.T, path string, body, answer any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	address := os.Getenv("HUB_SANDBOX_URL") + "/_sandbox/api/" + path
	request, err := http.NewRequest("POST", address, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if token := os.Getenv("HUB_SANDBOX_CONTROL_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if err := ask(request, answer); err != nil {
		t.Fatal(err)
	}
}

func TestSignsItsUsersIn(t *testing.T) {
	var reset struct{}
	control(t, "reset", nil, &reset)

	location, verifier, err := Begin()
	if err != nil {
		t.Fatal(err)
	}
	asked, err := url.Parse(location)
	if err != nil {
		t.Fatal(err)
	}
	// What alice would do in a browser.
	parameters := map[string]string{"user": "alice"}
	for name := range asked.Query() {
		parameters[name] = asked.Query().Get(name)
	}
	var decided struct {
		RedirectTo string `json:"redirectTo"`
	}
	control(t, "authorize", parameters, &decided)

	cameBack, err := url.Parse(decided.RedirectTo)
	if err != nil {
		t.Fatal(err)
	}
	name, err := Finish(cameBack.Query().Get("code"), verifier)
	if err != nil {
		t.Fatal(err)
	}
	if name != "alice" {
		t.Errorf("%q has signed in, not alice", name)
	}
}
