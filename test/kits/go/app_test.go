package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"strings"
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

	app := httptest.NewServer(New())
	defer app.Close()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	login, err := browser.Get(app.URL + "/login")
	if err != nil {
		t.Fatal(err)
	}
	defer login.Body.Close()
	asked, err := login.Location()
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

	page, err := browser.Get(decided.RedirectTo)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	text, err := io.ReadAll(page.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "Hello, alice") {
		t.Errorf("%q does not greet alice", text)
	}
}
